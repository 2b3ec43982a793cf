CREATE TABLE doctors (
    doctor_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    specialty TEXT NOT NULL,
    hired_year INTEGER
);
CREATE TABLE diagnoses (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    chapter TEXT NOT NULL
);
CREATE TABLE patients (
    patient_id INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL,
    sex TEXT,
    birth_date DATE,
    city TEXT,
    insurer TEXT,
    phone TEXT
);
CREATE TABLE visits (
    visit_id INTEGER PRIMARY KEY,
    patient_id INTEGER NOT NULL REFERENCES patients (patient_id),
    doctor_id INTEGER NOT NULL REFERENCES doctors (doctor_id),
    visit_date DATE NOT NULL,
    code TEXT REFERENCES diagnoses (code),
    fee_eur DECIMAL(8, 2),
    follow_up DATE
);
CREATE TABLE prescriptions (
    prescription_id INTEGER PRIMARY KEY,
    visit_id INTEGER NOT NULL REFERENCES visits (visit_id),
    drug TEXT NOT NULL,
    dose_mg REAL,
    days INTEGER
);
-- A laboratory writes what it reads: mostly numbers, sometimes '<5', sometimes nothing.
CREATE TABLE lab_results (
    result_id INTEGER PRIMARY KEY,
    visit_id INTEGER NOT NULL REFERENCES visits (visit_id),
    test TEXT NOT NULL,
    value TEXT,
    unit TEXT,
    ref_low REAL,
    ref_high REAL
);
CREATE TABLE "order" (
    order_no TEXT PRIMARY KEY,
    "Ordered On" DATE,
    item TEXT,
    "group" TEXT,
    amount_eur REAL
);
CREATE VIEW visits_per_year AS
    SELECT CAST(substr(visit_date, 1, 4) AS INTEGER) AS year, count(*) AS visits, sum(fee_eur) AS fees_eur
    FROM visits GROUP BY 1;
