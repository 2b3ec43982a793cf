"""A clinic that never was: its tables as CSV text, from a fixed seed.

    python -m sample_sources.clinic.generate

Diagnosis codes are ICD-10's and drugs are real; patients, doctors and visits are invented.
"""

from __future__ import annotations

import csv
import datetime as dt
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

HERE = Path(__file__).parent / "tables"
SEED = 1907

DOCTORS = [
    ("Kwame Osei", "General practice", 2009), ("Ingrid Halvorsen", "Cardiology", 2004), ("Mateo Ibarra", "Dermatology", 2015),
    ("Yuki Tanabe", "Pediatrics", 2011), ("Fatima Belhaj", "General practice", 2017), ("Tomasz Wieczorek", "Orthopedics", 1998),
    ("Priya Raman", "Endocrinology", 2013), ("Elena Petrova", "Neurology", 2007), ("Samuel Adeyemi", "General practice", 2020),
    ("Clara Johansson", "Pulmonology", 2010), ("Rafael Monteiro", "Gastroenterology", 2012), ("Aoife Brennan", "Psychiatry", 2016),
]  # fmt: skip

DIAGNOSES: list[tuple[str, str, str, int]] = [
    ("E11.9", "Type 2 diabetes mellitus without complications", "Endocrine", 9), ("I10", "Essential hypertension", "Circulatory", 14),
    ("J45.9", "Asthma, unspecified", "Respiratory", 7), ("J06.9", "Acute upper respiratory infection", "Respiratory", 16),
    ("M54.5", "Low back pain", "Musculoskeletal", 9), ("F32.9", "Depressive episode, unspecified", "Mental", 5),
    ("F41.1", "Generalized anxiety disorder", "Mental", 4), ("E78.5", "Hyperlipidemia, unspecified", "Endocrine", 7),
    ("L20.9", "Atopic dermatitis, unspecified", "Skin", 4), ("L40.0", "Psoriasis vulgaris", "Skin", 2),
    ("G43.9", "Migraine, unspecified", "Nervous", 5), ("K21.9", "Gastro-esophageal reflux disease", "Digestive", 5),
    ("N39.0", "Urinary tract infection", "Genitourinary", 5), ("E03.9", "Hypothyroidism, unspecified", "Endocrine", 4),
    ("D50.9", "Iron deficiency anemia", "Blood", 4), ("E55.9", "Vitamin D deficiency", "Endocrine", 4),
    ("I48.9", "Atrial fibrillation", "Circulatory", 2), ("J44.9", "Chronic obstructive pulmonary disease", "Respiratory", 3),
    ("M17.9", "Osteoarthritis of knee", "Musculoskeletal", 4), ("H10.9", "Conjunctivitis, unspecified", "Eye", 3),
    ("B02.9", "Zoster without complications", "Infectious", 1), ("J30.1", "Allergic rhinitis due to pollen", "Respiratory", 4),
]  # fmt: skip

# Milligrams; insulin is dosed in units and has none.
DRUGS: dict[str, list[tuple[str, float | None]]] = {
    "E11.9": [("Metformin", 500), ("Empagliflozin", 10), ("Insulin glargine", None)], "I10": [("Lisinopril", 10), ("Amlodipine", 5), ("Losartan", 50)],
    "J45.9": [("Salbutamol", 0.1), ("Budesonide", 0.2)], "J06.9": [("Paracetamol", 500)], "M54.5": [("Ibuprofen", 400), ("Naproxen", 250)],
    "F32.9": [("Sertraline", 50), ("Escitalopram", 10)], "F41.1": [("Sertraline", 50), ("Buspirone", 10)], "E78.5": [("Atorvastatin", 20), ("Rosuvastatin", 10)],
    "L20.9": [("Hydrocortisone", 1)], "L40.0": [("Calcipotriol", 0.05)], "G43.9": [("Sumatriptan", 50), ("Propranolol", 40)],
    "K21.9": [("Omeprazole", 20), ("Pantoprazole", 40)], "N39.0": [("Nitrofurantoin", 100)], "E03.9": [("Levothyroxine", 0.05)],
    "D50.9": [("Ferrous sulfate", 325)], "E55.9": [("Cholecalciferol", 0.025)], "I48.9": [("Apixaban", 5), ("Bisoprolol", 2.5)],
    "J44.9": [("Tiotropium", 0.018)], "M17.9": [("Naproxen", 250), ("Paracetamol", 500)], "J30.1": [("Cetirizine", 10), ("Loratadine", 10)],
    "B02.9": [("Valaciclovir", 1000)],
}  # fmt: skip

TESTS = [
    ("HbA1c", "%", 4.0, 5.6, 4.6, 9.8), ("LDL cholesterol", "mmol/L", 0.0, 3.0, 1.4, 5.6), ("Hemoglobin", "g/dL", 12.0, 16.0, 8.6, 17.0),
    ("TSH", "mIU/L", 0.4, 4.0, 0.2, 9.0), ("CRP", "mg/L", 0.0, 5.0, 0.0, 60.0), ("Vitamin D", "ng/mL", 30.0, 100.0, 7.0, 70.0),
    ("Creatinine", "umol/L", 50.0, 110.0, 44.0, 180.0), ("Ferritin", "ng/mL", 15.0, 150.0, 4.0, 300.0),
]  # fmt: skip

FIRST = {
    "F": "Anna Maria Ellen Sofia Grace Amara Lucia Noor Hana Ida Zofia Carmen Leila Ruth Vera Milica Thandi Julia Freya Alice Rosa Wanda Bianca Dalia Erin".split(),
    "M": "Jonas Peter Ahmed Luca David Kofi Ivan Hugo Omar Felix Marek Diego Arjun Noah Stefan Emil Tariq Owen Pavel Victor Sven Bruno Ravi Henrik Caleb".split(),
}  # fmt: skip
LAST = (
    "Albrecht Barros Castellano Dvorak Eriksen Fontaine Grigoryan Hussain Ivanova Jensen Kowalski Lindgren Mbeki Novak Okafor Pereira Quist "
    "Rossi Santoro Takeda Ullrich Varga Weiss Yilmaz Zielinski Andersen Bauer Costa Delgado Fischer Greco Hoffmann Iqbal Keller Laurent "
    "Marino Nowak Olsen Petit Ruiz Schmidt Toth Vidal Wagner Young"
).split()
CITIES = ["Bergen", "Oslo", "Drammen", "Asker", "Lillestrom", "Moss"]
INSURERS = ["Nordic Mutual", "Helsefond", "Trygg", None]


def _write(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with (HERE / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(["" if cell is None else cell for cell in row] for row in rows)


def generate() -> None:
    """Write the seven tables; an empty cell is NULL."""
    rng = random.Random(SEED)
    HERE.mkdir(exist_ok=True)
    _write("doctors", ("doctor_id", "name", "specialty", "hired_year"), [(n, *d) for n, d in enumerate(DOCTORS, 1)])
    _write("diagnoses", ("code", "name", "chapter"), [d[:3] for d in DIAGNOSES])
    patients = _patients(rng)
    _write("patients", ("patient_id", "full_name", "sex", "birth_date", "city", "insurer", "phone"), patients)
    visits, prescriptions, results = _visits(rng, patients)
    _write("visits", ("visit_id", "patient_id", "doctor_id", "visit_date", "code", "fee_eur", "follow_up"), visits)
    _write("prescriptions", ("prescription_id", "visit_id", "drug", "dose_mg", "days"), prescriptions)
    _write("lab_results", ("result_id", "visit_id", "test", "value", "unit", "ref_low", "ref_high"), results)
    _write("order", ("order_no", "Ordered On", "item", "group", "amount_eur"), _orders(rng))


def _patients(rng: random.Random) -> list[tuple[object, ...]]:
    names: set[str] = set()
    patients: list[tuple[object, ...]] = []
    while len(patients) < 420:
        sex = rng.choice("FM")
        name = f"{rng.choice(FIRST[sex])} {rng.choice(LAST)}"
        if name in names:
            continue
        names.add(name)
        born = dt.date(1930, 1, 1) + dt.timedelta(days=rng.randrange(0, 32_800))
        phone = (
            f"+47 {rng.randrange(400, 999)} {rng.randrange(10, 99)} {rng.randrange(100, 999)}"
            if rng.random() < 0.85
            else None
        )
        insurer = rng.choices(INSURERS, (5, 4, 3, 2))[0]
        patients.append(
            (len(patients) + 1, name, sex, born.isoformat(), rng.choices(CITIES, (4, 9, 3, 2, 2, 3))[0], insurer, phone)
        )
    return patients


def _visits(
    rng: random.Random, patients: Sequence[Sequence[object]]
) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]], list[tuple[object, ...]]]:
    visits: list[tuple[object, ...]] = []
    prescriptions: list[tuple[object, ...]] = []
    results: list[tuple[object, ...]] = []
    weights = [d[3] for d in DIAGNOSES]
    days = sorted(rng.randrange(0, 2_192) for _ in range(3_200))
    for number, day in enumerate(days, 1):
        date = dt.date(2019, 1, 1) + dt.timedelta(days=day)
        patient = rng.choice(patients[:-12])  # the last twelve never came
        doctor = rng.choices(range(1, 13), (10, 6, 4, 6, 9, 5, 4, 4, 7 if date.year >= 2020 else 0, 3, 3, 3))[0]
        code = rng.choices(DIAGNOSES, weights)[0][0]
        fee = rng.choice((45, 60, 75, 90, 120, 180))
        follow = (date + dt.timedelta(days=rng.choice((14, 30, 90)))).isoformat() if rng.random() < 0.3 else None
        visits.append(
            (number, patient[0], doctor, date.isoformat(), code if rng.random() < 0.97 else None, f"{fee}.00", follow)
        )
        for drug, dose in DRUGS.get(code, ()):
            if rng.random() < 0.55:
                prescriptions.append((len(prescriptions) + 1, number, drug, dose, rng.choice((7, 10, 14, 30, 90))))
        if rng.random() < 0.4:
            for test, unit, low, high, least, most in rng.sample(TESTS, rng.choice((1, 2))):
                results.append((len(results) + 1, number, test, _value(rng, least, most), unit, low, high))
    return visits, prescriptions, results


def _value(rng: random.Random, least: float, most: float) -> str | None:
    drawn = rng.random()
    if drawn < 0.04:
        return None
    if drawn < 0.08:
        return "<5"
    return f"{rng.uniform(least, most):.1f}"


def _orders(rng: random.Random) -> list[tuple[object, ...]]:
    items = [("Nitrile gloves", "consumable"), ("Syringes 5 ml", "consumable"), ("Printer paper", "office"), ("Stethoscope", "device"),
             ("Blood pressure cuff", "device"), ("Hand disinfectant", "consumable"), ("Examination lamp", "device"), ("Coffee", "office")]  # fmt: skip
    rows: list[tuple[object, ...]] = []
    for number in range(1, 91):
        item, group = rng.choice(items)
        date = dt.date(2022, 1, 3) + dt.timedelta(days=rng.randrange(0, 1_080))
        rows.append((f"PO-{1000 + number}", date.isoformat(), item, group, f"{rng.uniform(12, 940):.2f}"))
    return rows


if __name__ == "__main__":
    generate()
