-- Places
CREATE TABLE department (dept_id INTEGER PRIMARY KEY, dept_name TEXT NOT NULL, floor INTEGER, head_staff_id INTEGER REFERENCES staff (staff_id));
CREATE TABLE ward (ward_id TEXT PRIMARY KEY, ward_name TEXT NOT NULL, dept_id INTEGER NOT NULL REFERENCES department (dept_id), phone_ext TEXT);
CREATE TABLE room (room_id INTEGER PRIMARY KEY, ward_id TEXT NOT NULL REFERENCES ward (ward_id), room_no TEXT NOT NULL, is_isolation BOOLEAN NOT NULL);
CREATE TABLE bed (bed_id INTEGER PRIMARY KEY, room_id INTEGER NOT NULL REFERENCES room (room_id), bed_type TEXT NOT NULL);
CREATE TABLE theatre (theatre_id INTEGER PRIMARY KEY, theatre_name TEXT NOT NULL, opened_year INTEGER);
-- People who work here
CREATE TABLE staff_role (role_id INTEGER PRIMARY KEY, role_name TEXT NOT NULL, pay_grade INTEGER);
CREATE TABLE specialty (spec_id INTEGER PRIMARY KEY, spec_name TEXT NOT NULL);
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, surname TEXT NOT NULL, given_name TEXT NOT NULL, role_id INTEGER NOT NULL REFERENCES staff_role (role_id), spec_id INTEGER REFERENCES specialty (spec_id), dept_id INTEGER REFERENCES department (dept_id), hired_on DATE NOT NULL, left_on DATE);
CREATE TABLE shift (shift_id INTEGER PRIMARY KEY, shift_name TEXT NOT NULL, starts TEXT NOT NULL, hours INTEGER NOT NULL);
CREATE TABLE shift_assignment (assign_id INTEGER PRIMARY KEY, staff_id INTEGER NOT NULL REFERENCES staff (staff_id), shift_id INTEGER NOT NULL REFERENCES shift (shift_id), ward_id TEXT NOT NULL REFERENCES ward (ward_id), shift_date DATE NOT NULL);
CREATE TABLE training_course (course_id INTEGER PRIMARY KEY, course_name TEXT NOT NULL, valid_years INTEGER);
CREATE TABLE staff_training (staff_id INTEGER NOT NULL REFERENCES staff (staff_id), course_id INTEGER NOT NULL REFERENCES training_course (course_id), passed_on DATE NOT NULL, score INTEGER, PRIMARY KEY (staff_id, course_id));
-- Patients
CREATE TABLE patient (pat_no INTEGER PRIMARY KEY, surname TEXT NOT NULL, given_name TEXT NOT NULL, dob DATE, sex TEXT, town TEXT, postcode TEXT, blood_group TEXT, gp_name TEXT);
CREATE TABLE next_of_kin (kin_id INTEGER PRIMARY KEY, pat_no INTEGER NOT NULL REFERENCES patient (pat_no), kin_name TEXT NOT NULL, relation TEXT NOT NULL);
CREATE TABLE allergen (allergen_id INTEGER PRIMARY KEY, allergen_name TEXT NOT NULL, allergen_class TEXT);
CREATE TABLE patient_allergy (pat_no INTEGER NOT NULL REFERENCES patient (pat_no), allergen_id INTEGER NOT NULL REFERENCES allergen (allergen_id), severity TEXT, noted_on DATE, PRIMARY KEY (pat_no, allergen_id));
CREATE TABLE insurer (insurer_id INTEGER PRIMARY KEY, insurer_name TEXT NOT NULL, is_public BOOLEAN NOT NULL);
CREATE TABLE patient_insurance (policy_no TEXT PRIMARY KEY, pat_no INTEGER NOT NULL REFERENCES patient (pat_no), insurer_id INTEGER NOT NULL REFERENCES insurer (insurer_id), valid_from DATE NOT NULL, valid_to DATE);
-- Stays
CREATE TABLE icd10 (icd_code TEXT PRIMARY KEY, icd_text TEXT NOT NULL, chapter TEXT NOT NULL);
CREATE TABLE admission (adm_no INTEGER PRIMARY KEY, pat_no INTEGER NOT NULL REFERENCES patient (pat_no), ward_id TEXT NOT NULL REFERENCES ward (ward_id), attending_id INTEGER NOT NULL REFERENCES staff (staff_id), admitted_on DATE NOT NULL, urgency TEXT NOT NULL);
CREATE TABLE discharge (adm_no INTEGER PRIMARY KEY REFERENCES admission (adm_no), discharged_on DATE NOT NULL, destination TEXT NOT NULL, summary_sent BOOLEAN);
CREATE TABLE transfer (transfer_id INTEGER PRIMARY KEY, adm_no INTEGER NOT NULL REFERENCES admission (adm_no), from_ward TEXT NOT NULL REFERENCES ward (ward_id), to_ward TEXT NOT NULL REFERENCES ward (ward_id), moved_on DATE NOT NULL);
CREATE TABLE bed_stay (stay_id INTEGER PRIMARY KEY, adm_no INTEGER NOT NULL REFERENCES admission (adm_no), bed_id INTEGER NOT NULL REFERENCES bed (bed_id), from_date DATE NOT NULL, "end" DATE);
CREATE TABLE admission_diagnosis (adm_no INTEGER NOT NULL REFERENCES admission (adm_no), icd_code TEXT NOT NULL REFERENCES icd10 (icd_code), "primary" BOOLEAN NOT NULL, PRIMARY KEY (adm_no, icd_code));
CREATE TABLE care_team (team_id INTEGER PRIMARY KEY, team_name TEXT NOT NULL, dept_id INTEGER NOT NULL REFERENCES department (dept_id));
CREATE TABLE care_team_member (team_id INTEGER NOT NULL REFERENCES care_team (team_id), staff_id INTEGER NOT NULL REFERENCES staff (staff_id), since DATE, PRIMARY KEY (team_id, staff_id));
CREATE TABLE vital_sign (vital_id INTEGER PRIMARY KEY, adm_no INTEGER NOT NULL REFERENCES admission (adm_no), taken_at TEXT NOT NULL, sign_name TEXT NOT NULL, reading REAL);
CREATE INDEX vital_sign_adm ON vital_sign (adm_no);
CREATE TABLE diet_type (diet_id INTEGER PRIMARY KEY, diet_name TEXT NOT NULL);
CREATE TABLE diet_order (diet_order_id INTEGER PRIMARY KEY, adm_no INTEGER NOT NULL REFERENCES admission (adm_no), diet_id INTEGER NOT NULL REFERENCES diet_type (diet_id), from_date DATE NOT NULL);
-- Emergency
CREATE TABLE ambulance (amb_id INTEGER PRIMARY KEY, call_sign TEXT NOT NULL, base_town TEXT, in_service_since INTEGER);
CREATE TABLE ambulance_run (run_id INTEGER PRIMARY KEY, amb_id INTEGER NOT NULL REFERENCES ambulance (amb_id), run_date DATE NOT NULL, pickup_town TEXT, minutes_to_scene INTEGER, km REAL);
CREATE TABLE triage_level (level_id INTEGER PRIMARY KEY, colour TEXT NOT NULL, max_wait_min INTEGER NOT NULL);
CREATE TABLE emergency_visit (ev_id INTEGER PRIMARY KEY, pat_no INTEGER NOT NULL REFERENCES patient (pat_no), arrived_on DATE NOT NULL, level_id INTEGER REFERENCES triage_level (level_id), run_id INTEGER REFERENCES ambulance_run (run_id), waited_min INTEGER, adm_no INTEGER REFERENCES admission (adm_no));
-- Outpatients
CREATE TABLE gp_practice (practice_id INTEGER PRIMARY KEY, practice_name TEXT NOT NULL, town TEXT NOT NULL);
CREATE TABLE referral (ref_id INTEGER PRIMARY KEY, pat_no INTEGER NOT NULL REFERENCES patient (pat_no), practice_id INTEGER NOT NULL REFERENCES gp_practice (practice_id), spec_id INTEGER NOT NULL REFERENCES specialty (spec_id), received_on DATE NOT NULL);
CREATE TABLE appointment (appt_id INTEGER PRIMARY KEY, ref_id INTEGER REFERENCES referral (ref_id), pat_no INTEGER NOT NULL REFERENCES patient (pat_no), staff_id INTEGER NOT NULL REFERENCES staff (staff_id), appt_date DATE NOT NULL, status TEXT NOT NULL);
CREATE TABLE waiting_list (wl_id INTEGER PRIMARY KEY, pat_no INTEGER NOT NULL REFERENCES patient (pat_no), proc_code TEXT NOT NULL REFERENCES procedure_code (proc_code), listed_on DATE NOT NULL, priority TEXT);
-- Operations
CREATE TABLE procedure_code (proc_code TEXT PRIMARY KEY, proc_name TEXT NOT NULL, usual_min INTEGER);
CREATE TABLE operation (op_id INTEGER PRIMARY KEY, adm_no INTEGER NOT NULL REFERENCES admission (adm_no), proc_code TEXT NOT NULL REFERENCES procedure_code (proc_code), theatre_id INTEGER NOT NULL REFERENCES theatre (theatre_id), surgeon_id INTEGER NOT NULL REFERENCES staff (staff_id), op_date DATE NOT NULL, knife_min INTEGER);
CREATE TABLE operation_staff (op_id INTEGER NOT NULL REFERENCES operation (op_id), staff_id INTEGER NOT NULL REFERENCES staff (staff_id), duty TEXT NOT NULL, PRIMARY KEY (op_id, staff_id));
CREATE TABLE anaesthesia (op_id INTEGER PRIMARY KEY REFERENCES operation (op_id), anaesthetist_id INTEGER NOT NULL REFERENCES staff (staff_id), method TEXT NOT NULL, asa_class INTEGER);
CREATE TABLE implant (implant_id INTEGER PRIMARY KEY, op_id INTEGER NOT NULL REFERENCES operation (op_id), implant_type TEXT NOT NULL, serial_no TEXT NOT NULL);
-- Laboratory, imaging, blood
CREATE TABLE lab_test (test_id INTEGER PRIMARY KEY, test_name TEXT NOT NULL, unit TEXT, ref_low REAL, ref_high REAL);
CREATE TABLE lab_order (lab_order_id INTEGER PRIMARY KEY, adm_no INTEGER NOT NULL REFERENCES admission (adm_no), ordered_by INTEGER NOT NULL REFERENCES staff (staff_id), ordered_on DATE NOT NULL);
CREATE TABLE lab_result (lab_order_id INTEGER NOT NULL REFERENCES lab_order (lab_order_id), test_id INTEGER NOT NULL REFERENCES lab_test (test_id), result_value TEXT, PRIMARY KEY (lab_order_id, test_id));
CREATE TABLE imaging_type (img_type_id INTEGER PRIMARY KEY, img_name TEXT NOT NULL);
-- Reports come from another system, which writes dates as 31.12.2024.
CREATE TABLE imaging_report (img_id INTEGER PRIMARY KEY, adm_no INTEGER NOT NULL REFERENCES admission (adm_no), img_type_id INTEGER NOT NULL REFERENCES imaging_type (img_type_id), reported_on TEXT NOT NULL, finding TEXT);
CREATE TABLE blood_unit (unit_no TEXT PRIMARY KEY, blood_group TEXT NOT NULL, donated_on DATE NOT NULL, adm_no INTEGER REFERENCES admission (adm_no));
-- Pharmacy
CREATE TABLE drug (drug_id INTEGER PRIMARY KEY, drug_name TEXT NOT NULL, drug_class TEXT, form TEXT);
CREATE TABLE medication_order (med_order_id INTEGER PRIMARY KEY, adm_no INTEGER NOT NULL REFERENCES admission (adm_no), drug_id INTEGER NOT NULL REFERENCES drug (drug_id), prescriber_id INTEGER NOT NULL REFERENCES staff (staff_id), dose_mg REAL, per_day INTEGER);
CREATE TABLE medication_admin (admin_id INTEGER PRIMARY KEY, med_order_id INTEGER NOT NULL REFERENCES medication_order (med_order_id), nurse_id INTEGER NOT NULL REFERENCES staff (staff_id), given_on DATE NOT NULL, refused BOOLEAN NOT NULL);
CREATE INDEX medication_admin_order ON medication_admin (med_order_id);
CREATE TABLE drug_interaction (drug_a INTEGER NOT NULL REFERENCES drug (drug_id), drug_b INTEGER NOT NULL REFERENCES drug (drug_id), severity TEXT NOT NULL, PRIMARY KEY (drug_a, drug_b));
CREATE TABLE pharmacy_stock (drug_id INTEGER PRIMARY KEY REFERENCES drug (drug_id), packs INTEGER NOT NULL, reorder_at INTEGER, expires_on DATE);
-- Money
CREATE TABLE invoice (inv_no INTEGER PRIMARY KEY, adm_no INTEGER NOT NULL REFERENCES admission (adm_no), issued_on DATE NOT NULL, total_eur DECIMAL(10, 2) NOT NULL, paid_on DATE);
CREATE TABLE claim (claim_id INTEGER PRIMARY KEY, inv_no INTEGER NOT NULL REFERENCES invoice (inv_no), policy_no TEXT NOT NULL REFERENCES patient_insurance (policy_no), state TEXT NOT NULL, refused_reason TEXT);
-- Equipment and buying
CREATE TABLE equipment (equip_id INTEGER PRIMARY KEY, equip_type TEXT NOT NULL, maker TEXT, ward_id TEXT REFERENCES ward (ward_id), bought_on DATE, "price paid" TEXT);
CREATE TABLE "check" (check_id INTEGER PRIMARY KEY, equip_id INTEGER NOT NULL REFERENCES equipment (equip_id), checked_on DATE NOT NULL, passed BOOLEAN NOT NULL, cost_eur INTEGER);
CREATE TABLE vendor (vendor_id INTEGER PRIMARY KEY, vendor_name TEXT NOT NULL, country TEXT);
CREATE TABLE purchase (purchase_id INTEGER PRIMARY KEY, vendor_id INTEGER NOT NULL REFERENCES vendor (vendor_id), dept_id INTEGER NOT NULL REFERENCES department (dept_id), ordered_on DATE NOT NULL, delivered_on DATE, amount_eur INTEGER NOT NULL);
CREATE TABLE purchase_line (purchase_id INTEGER NOT NULL REFERENCES purchase (purchase_id), line_no INTEGER NOT NULL, item TEXT NOT NULL, quantity INTEGER NOT NULL, PRIMARY KEY (purchase_id, line_no));
CREATE VIEW ward_load AS
SELECT ward_name, count(*) AS admissions FROM admission JOIN ward USING (ward_id) GROUP BY ward_id;
CREATE VIEW current_inpatient AS
SELECT pat_no, surname, given_name, ward_id, admitted_on FROM admission JOIN patient USING (pat_no)
WHERE adm_no NOT IN (SELECT adm_no FROM discharge);
