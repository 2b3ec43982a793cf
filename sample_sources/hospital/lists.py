"""What the hospital's tables are filled from: real codes and drug names, invented people and places."""

from __future__ import annotations

DEPARTMENTS = [
    "Emergency",
    "Cardiology",
    "Surgery",
    "Orthopaedics",
    "Maternity",
    "Paediatrics",
    "Neurology",
    "Oncology",
    "Intensive Care",
    "Pharmacy",
]
WARDS = [
    ("A1", "Heron", 2), ("A2", "Curlew", 2), ("B1", "Gannet", 3), ("B2", "Puffin", 3), ("C1", "Plover", 4), ("C2", "Dunlin", 4),
    ("D1", "Wren", 5), ("D2", "Sparrow", 6), ("E1", "Falcon", 7), ("E2", "Osprey", 8), ("ICU", "Intensive care unit", 9), ("OBS", "Observation", 1),
]  # fmt: skip
ROLES = [
    ("Consultant", 9),
    ("Registrar", 7),
    ("Nurse", 5),
    ("Ward sister", 6),
    ("Surgeon", 9),
    ("Anaesthetist", 9),
    ("Pharmacist", 6),
    ("Radiographer", 5),
    ("Porter", 2),
]
ROLE_WEIGHTS = (11, 14, 38, 7, 8, 5, 5, 6, 6)
SPECIALTIES = [
    "Cardiology",
    "General surgery",
    "Orthopaedics",
    "Obstetrics",
    "Paediatrics",
    "Neurology",
    "Oncology",
    "Endocrinology",
    "Gastroenterology",
    "Respiratory medicine",
]
SHIFTS = [("Early", "07:00", 8), ("Late", "14:30", 8), ("Night", "22:00", 10), ("Long day", "07:30", 12)]
COURSES = [
    ("Advanced life support", 4),
    ("Manual handling", 2),
    ("Infection control", 1),
    ("Safeguarding", 3),
    ("Blood transfusion", 2),
    ("Radiation safety", None),
]
FIRST = {
    "F": "Morwenna Jenna Loveday Tamsin Demelza Elowen Kerensa Rosen Wenna Bryony Gwen Hester Isolde Lowenna Nessa Petroc Senara Ysella Orla Maeve".split(),
    "M": "Jago Piran Denzel Cador Merryn Tristan Ruan Myghal Pasco Gerens Davy Hedrek Kitto Massen Nicca Perran Talan Ewan Callum Rory".split(),
}
LAST = (
    "Trelawny Penrose Polglaze Tregenza Carlyon Nancarrow Chenoweth Rosewarne Trevithick Bolitho Kneebone Angove Pascoe Hosking Curnow"
    " Jory Lanyon Osei Nankivell Odgers Pender Quick Rodda Spargo Tangye Uren Vingoe Warne Halvorsen Yelland Raman Bray Dingle Endean Faull Gribble"
).split()
TOWNS = {
    "Porthmellin": 34,
    "St Brannoc": 26,
    "Trevarth": 15,
    "Lanwithen": 12,
    "Polruddan": 9,
    "Carnquay": 6,
    "Zennack": 3,
}
BLOOD = {"O+": 37, "A+": 35, "B+": 8, "AB+": 3, "O-": 7, "A-": 7, "B-": 2, "AB-": 1}
RELATIONS = ("spouse", "parent", "child", "sibling", "friend")
ALLERGENS = [
    ("Penicillin", "drug"),
    ("Latex", "contact"),
    ("Peanut", "food"),
    ("Ibuprofen", "drug"),
    ("Iodine contrast", "drug"),
    ("Egg", "food"),
    ("Bee venom", "insect"),
    ("Shellfish", "food"),
]
INSURERS = [
    ("National Health Fund", 1),
    ("Tamar Mutual", 0),
    ("Atlantic Cover", 0),
    ("Guild Assurance", 0),
    ("Seafarers' Society", 0),
]
# ICD-10, with how often each is the main reason of a stay.
ICD10 = [
    ("I21.9", "Acute myocardial infarction, unspecified", "Circulatory", 12), ("I50.9", "Heart failure, unspecified", "Circulatory", 15), ("I48.9", "Atrial fibrillation", "Circulatory", 9),
    ("I10", "Essential hypertension", "Circulatory", 6), ("I63.9", "Cerebral infarction, unspecified", "Nervous", 8), ("G40.9", "Epilepsy, unspecified", "Nervous", 3),
    ("G43.9", "Migraine, unspecified", "Nervous", 2), ("J18.9", "Pneumonia, unspecified organism", "Respiratory", 17), ("J44.9", "Chronic obstructive pulmonary disease", "Respiratory", 11),
    ("J45.9", "Asthma, unspecified", "Respiratory", 5), ("K35.8", "Acute appendicitis", "Digestive", 7), ("K80.2", "Gallstones without cholecystitis", "Digestive", 6),
    ("K21.9", "Gastro-esophageal reflux disease", "Digestive", 2), ("S72.0", "Fracture of neck of femur", "Injury", 10), ("S52.5", "Fracture of lower end of radius", "Injury", 5),
    ("M17.9", "Osteoarthritis of knee", "Musculoskeletal", 7), ("M16.9", "Osteoarthritis of hip", "Musculoskeletal", 6), ("E11.9", "Type 2 diabetes mellitus without complications", "Endocrine", 7),
    ("E10.9", "Type 1 diabetes mellitus without complications", "Endocrine", 3), ("E05.9", "Thyrotoxicosis, unspecified", "Endocrine", 1), ("C50.9", "Malignant neoplasm of breast", "Neoplasm", 5),
    ("C34.9", "Malignant neoplasm of lung", "Neoplasm", 4), ("C18.9", "Malignant neoplasm of colon", "Neoplasm", 4), ("O80", "Encounter for full-term uncomplicated delivery", "Pregnancy", 13),
    ("O82", "Encounter for cesarean delivery", "Pregnancy", 6), ("N39.0", "Urinary tract infection", "Genitourinary", 8), ("N17.9", "Acute kidney failure, unspecified", "Genitourinary", 4),
    ("A41.9", "Sepsis, unspecified organism", "Infectious", 6), ("D50.9", "Iron deficiency anemia", "Blood", 3), ("F10.2", "Alcohol dependence", "Mental", 2),
]  # fmt: skip
PROCEDURES = [
    ("W37", "Total hip replacement", 95), ("W40", "Total knee replacement", 100), ("W19", "Fixation of neck of femur", 75), ("H01", "Appendectomy", 50), ("J18", "Cholecystectomy", 70),
    ("K40", "Coronary artery bypass", 230), ("K75", "Coronary stenting", 60), ("R17", "Caesarean section", 45), ("B27", "Mastectomy", 110), ("H07", "Right hemicolectomy", 150),
    ("E54", "Lobectomy of lung", 170), ("W24", "Fixation of radius", 55), ("A05", "Evacuation of subdural haematoma", 120),
]  # fmt: skip
OPERATED = {
    "M16.9": "W37", "M17.9": "W40", "S72.0": "W19", "K35.8": "H01", "K80.2": "J18", "I21.9": "K75", "I50.9": "K40", "O82": "R17", "C50.9": "B27", "C18.9": "H07", "C34.9": "E54",
    "S52.5": "W24", "I63.9": "A05",
}  # fmt: skip
IMPLANTS = {
    "W37": "Hip prosthesis",
    "W40": "Knee prosthesis",
    "K75": "Coronary stent",
    "W19": "Hip screw",
    "W24": "Radius plate",
}
METHODS = {"general": 55, "spinal": 30, "regional": 10, "local": 5}
TESTS = [
    ("Haemoglobin", "g/dL", 12.0, 16.5, 8, 17), ("Creatinine", "umol/L", 50.0, 110.0, 45, 320), ("CRP", "mg/L", 0.0, 5.0, 1, 240), ("Troponin T", "ng/L", 0.0, 14.0, 3, 900),
    ("Potassium", "mmol/L", 3.5, 5.1, 2.8, 6.2), ("Sodium", "mmol/L", 135.0, 145.0, 122, 150), ("Glucose", "mmol/L", 3.9, 7.8, 2.9, 21), ("White cell count", "10^9/L", 4.0, 11.0, 2, 28),
]  # fmt: skip
IMAGING = ["Chest X-ray", "CT head", "CT abdomen", "MRI brain", "MRI spine", "Echocardiogram", "Ultrasound abdomen"]
FINDINGS = ("normal", "abnormal", "unchanged", "for review", None)
DRUGS = [
    ("Paracetamol", "analgesic", "tablet", 1000), ("Morphine", "opioid", "injection", 5), ("Ibuprofen", "analgesic", "tablet", 400), ("Amoxicillin", "antibiotic", "capsule", 500),
    ("Co-amoxiclav", "antibiotic", "injection", 1200), ("Metformin", "antidiabetic", "tablet", 500), ("Insulin glargine", "antidiabetic", "injection", None), ("Apixaban", "anticoagulant", "tablet", 5),
    ("Warfarin", "anticoagulant", "tablet", 3), ("Enoxaparin", "anticoagulant", "injection", 40), ("Furosemide", "diuretic", "tablet", 40), ("Bisoprolol", "beta blocker", "tablet", 2.5),
    ("Ramipril", "ACE inhibitor", "capsule", 5), ("Atorvastatin", "statin", "tablet", 40), ("Omeprazole", "antacid", "capsule", 20), ("Salbutamol", "bronchodilator", "inhaler", 0.1),
    ("Prednisolone", "steroid", "tablet", 30), ("Levetiracetam", "anticonvulsant", "tablet", 500), ("Ondansetron", "antiemetic", "injection", 4), ("Oxytocin", "hormone", "injection", None),
]  # fmt: skip
GIVEN = {
    "Circulatory": (7, 9, 10, 11, 12, 13), "Respiratory": (3, 4, 15, 16), "Digestive": (0, 1, 4, 14, 18), "Injury": (0, 1, 2, 9), "Musculoskeletal": (0, 1, 2, 9), "Endocrine": (5, 6, 13),
    "Neoplasm": (0, 1, 18, 9), "Pregnancy": (0, 19, 18), "Genitourinary": (3, 4, 0), "Infectious": (4, 3, 10), "Nervous": (17, 7, 0), "Blood": (0,), "Mental": (18, 0),
}  # fmt: skip
INTERACTIONS = [
    ("Warfarin", "Ibuprofen", "severe"),
    ("Warfarin", "Amoxicillin", "moderate"),
    ("Apixaban", "Ibuprofen", "severe"),
    ("Ramipril", "Ibuprofen", "moderate"),
    ("Furosemide", "Ramipril", "moderate"),
    ("Morphine", "Ondansetron", "mild"),
]
DIETS = ["Normal", "Diabetic", "Low salt", "Soft", "Nil by mouth", "Vegetarian", "Gluten free"]
TRIAGE = [("red", 0), ("orange", 10), ("yellow", 60), ("green", 120), ("blue", 240)]
PRACTICES = [
    ("Harbour Surgery", "Porthmellin"),
    ("Bridge Street Practice", "St Brannoc"),
    ("Trevarth Health Centre", "Trevarth"),
    ("Lanwithen Surgery", "Lanwithen"),
    ("Carn Medical Group", "Carnquay"),
]
EQUIPMENT = {
    "Infusion pump": 60,
    "Ventilator": 22,
    "Defibrillator": 16,
    "ECG machine": 14,
    "Ultrasound scanner": 7,
    "Patient hoist": 11,
    "MRI scanner": 1,
    "CT scanner": 2,
}
PRICES = {
    "Infusion pump": 2_400,
    "Ventilator": 21_000,
    "Defibrillator": 9_500,
    "ECG machine": 4_800,
    "Ultrasound scanner": 38_000,
    "Patient hoist": 3_100,
    "MRI scanner": 1_150_000,
    "CT scanner": 640_000,
}
MAKERS = ("Kestrel Medical", "Nordhaus", "Tanabe Instruments", "Vela Biosystems", None)
VENDORS = [
    ("Kestrel Medical", "Germany"),
    ("Southwest Linen", "United Kingdom"),
    ("Tanabe Instruments", "Japan"),
    ("Medipack", "Poland"),
    ("Atlantic Catering", "Ireland"),
    ("Orbis Pharma", None),
]
ITEMS = ("Gloves", "Syringes", "Bed linen", "Dressings", "Meal trays", "Masks", "Catheters", "Gowns")
VITALS = {
    "heart rate": (48, 132),
    "temperature": (35.6, 39.8),
    "systolic pressure": (88, 188),
    "oxygen saturation": (84, 100),
}
CALL_SIGNS = ("Kittiwake", "Fulmar", "Petrel", "Skua", "Tern", "Merganser")
