"""The information system of a hospital that never was: sixty tables, from a fixed seed."""

from __future__ import annotations

import datetime as dt
import random
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sample_sources.database import database
from sample_sources.hospital import lists as own

HERE = Path(__file__).parent
SEED = 2718
FIRST_DAY, LAST_DAY = dt.date(2018, 1, 1), dt.date(2024, 12, 31)
PATIENTS, STAFF, ADMISSIONS = 1_400, 170, 2_600


def make(path: Path) -> None:
    """Write the database."""
    with database(path, HERE / "schema.sql") as db:
        _Hospital(db, random.Random(SEED)).fill()


class _Hospital:
    """Fills the tables in the order in which they refer to each other."""

    def __init__(self, db: sqlite3.Connection, rng: random.Random) -> None:
        self.db = db
        self.rng = rng
        self.staff: dict[str, list[int]] = {}
        self.patients: list[int] = []
        self.policies: dict[int, str] = {}
        self.stays: list[tuple[int, int, dt.date, dt.date, str, str]] = []
        """Admission, patient, first and last day, diagnosis, chapter."""

    def fill(self) -> None:
        steps: tuple[Callable[[], None], ...] = (
            self._lists, self._staff, self._patients, self._admissions, self._stays, self._theatres, self._laboratory,
            self._pharmacy, self._emergency, self._outpatients, self._money, self._equipment,
        )  # fmt: skip
        for step in steps:
            step()

    # --- helpers ---

    def add(self, name: str, rows: Iterable[Sequence[Any]]) -> None:
        kept = [tuple(c.isoformat() if isinstance(c, dt.date) else c for c in row) for row in rows]
        if kept:
            self.db.executemany(f'INSERT INTO "{name}" VALUES ({",".join("?" * len(kept[0]))})', kept)

    def numbered(self, name: str, rows: Iterable[Sequence[Any]]) -> None:
        self.add(name, ((n, *row) for n, row in enumerate(rows, 1)))

    def pick(self, weights: Mapping[Any, float]) -> Any:
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def day(self, first: dt.date = FIRST_DAY, last: dt.date = LAST_DAY) -> dt.date:
        return first + dt.timedelta(days=self.rng.randrange((last - first).days + 1))

    def person(self, sex: str) -> tuple[str, str]:
        return self.rng.choice(own.LAST), self.rng.choice(own.FIRST[sex])

    def maybe(self, value: Any, share: float = 0.9) -> Any:
        return value if self.rng.random() < share else None

    # --- tables ---

    def _lists(self) -> None:
        self.numbered("department", [(name, 1 + n // 3, None) for n, name in enumerate(own.DEPARTMENTS)])
        self.add("ward", [(i, n, d, self.maybe(f"{4000 + k * 11}", 0.85)) for k, (i, n, d) in enumerate(own.WARDS)])
        rooms = [(ward, f"{ward}-{n:02}", int(n == 1)) for ward, _, _ in own.WARDS for n in range(1, 7)]
        self.numbered("room", rooms)
        kinds = {"standard": 70, "electric": 22, "bariatric": 5, "cot": 3}
        self.numbered("bed", [(n, self.pick(kinds)) for n in range(1, len(rooms) + 1) for _ in range(3)])
        self.numbered(
            "theatre",
            [
                ("Theatre One", 1998),
                ("Theatre Two", 1998),
                ("Theatre Three", 2009),
                ("Hybrid Theatre", 2021),
                ("Day Theatre", None),
            ],
        )
        self.numbered("staff_role", own.ROLES)
        self.numbered("specialty", [(s,) for s in own.SPECIALTIES])
        self.numbered("shift", own.SHIFTS)
        self.numbered("training_course", own.COURSES)
        self.numbered("allergen", own.ALLERGENS)
        self.numbered("insurer", own.INSURERS)
        self.add("icd10", [row[:3] for row in own.ICD10])
        self.add("procedure_code", own.PROCEDURES)
        self.numbered("lab_test", [row[:4] for row in own.TESTS])
        self.numbered("imaging_type", [(name,) for name in own.IMAGING])
        self.numbered("drug", [row[:3] for row in own.DRUGS])
        names = {name: n for n, (name, *_) in enumerate(own.DRUGS, 1)}
        self.add("drug_interaction", [(names[a], names[b], s) for a, b, s in own.INTERACTIONS])
        self.numbered("diet_type", [(d,) for d in own.DIETS])
        self.numbered("triage_level", own.TRIAGE)
        self.numbered("gp_practice", own.PRACTICES)
        self.numbered("vendor", own.VENDORS)

    def _staff(self) -> None:
        roles = [name for name, _ in own.ROLES]
        rows, chosen = [], set()
        while len(rows) < STAFF:
            surname, given = self.person(self.rng.choice("FM"))
            if (surname, given) in chosen:
                continue
            chosen.add((surname, given))
            role = self.rng.choices(range(len(roles)), own.ROLE_WEIGHTS)[0]
            doctor = roles[role] in ("Consultant", "Registrar", "Surgeon")
            hired = self.day(dt.date(1994, 1, 1), dt.date(2023, 12, 31))
            left = self.maybe(self.day(max(hired, dt.date(2019, 1, 1)), LAST_DAY), 0.13)
            spec = self.rng.randrange(1, len(own.SPECIALTIES) + 1) if doctor else None
            dept = self.rng.randrange(1, len(own.DEPARTMENTS) + 1)
            rows.append((surname, given, role + 1, spec, dept, hired, left))
            self.staff.setdefault(roles[role], []).append(len(rows))
        self.numbered("staff", rows)
        heads = [(self.rng.choice(self.staff["Consultant"]), n) for n in range(1, len(own.DEPARTMENTS) + 1)]
        self.db.executemany("UPDATE department SET head_staff_id = ? WHERE dept_id = ?", heads)
        wards = [w for w, _, _ in own.WARDS]
        nurses = [*self.staff["Nurse"], *self.staff["Ward sister"]]
        weights = (34, 30, 22, 14)
        shifts = [
            (
                self.rng.choice(nurses),
                self.rng.choices(range(1, 5), weights)[0],
                self.rng.choice(wards),
                self.day(dt.date(2023, 1, 1)),
            )
            for _ in range(6_000)
        ]
        self.numbered("shift_assignment", shifts)
        passed = {
            (s, c): (self.day(dt.date(2019, 1, 1)), self.maybe(self.rng.randrange(55, 101), 0.8))
            for s in range(1, STAFF + 1)
            for c in self.rng.sample(range(1, len(own.COURSES) + 1), self.rng.randrange(1, 4))
        }
        self.add("staff_training", [(*key, *value) for key, value in passed.items()])
        teams = [(f"{own.DEPARTMENTS[n % 10]} team {'AB'[n // 10]}", n % 10 + 1) for n in range(16)]
        self.numbered("care_team", teams)
        self.add(
            "care_team_member",
            [(t, s, self.maybe(self.day())) for t in range(1, 17) for s in self.rng.sample(range(1, STAFF + 1), 7)],
        )

    def _patients(self) -> None:
        rows = []
        for _ in range(PATIENTS):
            sex = self.rng.choice("FM")
            surname, given = self.person(sex)
            born = dt.date(1930, 1, 1) + dt.timedelta(days=int(34_000 * self.rng.betavariate(1.7, 1.5)))
            town = self.pick(own.TOWNS)
            code = f"SB{1 + list(own.TOWNS).index(town)} {self.rng.randrange(1, 9)}XQ"
            doctor = self.maybe(f"Dr. {self.rng.choice(own.LAST)}", 0.8)
            rows.append(
                (
                    surname,
                    given,
                    self.maybe(born, 0.97),
                    self.maybe(sex, 0.98),
                    town,
                    code,
                    self.maybe(self.pick(own.BLOOD), 0.7),
                    doctor,
                )
            )
        self.numbered("patient", rows)
        self.patients = list(range(1, PATIENTS + 1))
        kin = [
            (p, " ".join(reversed(self.person(self.rng.choice("FM")))), self.rng.choice(own.RELATIONS))
            for p in self.patients
            if self.rng.random() < 0.7
        ]
        self.numbered("next_of_kin", kin)
        allergies = [
            (p, a, self.maybe(self.rng.choice(("mild", "moderate", "severe")), 0.9), self.maybe(self.day(), 0.7))
            for p in self.patients
            if self.rng.random() < 0.24
            for a in {self.rng.choices(range(1, 9), (30, 9, 12, 14, 6, 8, 5, 9))[0] for _ in range(2)}
        ]
        self.add("patient_allergy", allergies)
        rows = []
        for patient in self.patients:
            if self.rng.random() < 0.93:
                policy = f"P{patient:05}"
                self.policies[patient] = policy
                insurer = self.rng.choices(range(1, 6), (58, 17, 12, 8, 5))[0]
                rows.append(
                    (
                        policy,
                        patient,
                        insurer,
                        self.day(dt.date(2012, 1, 1), dt.date(2018, 1, 1)),
                        self.maybe(self.day(dt.date(2023, 1, 1)), 0.1),
                    )
                )
        self.add("patient_insurance", rows)

    def _admissions(self) -> None:
        weights = [row[3] for row in own.ICD10]
        wards = {
            "Circulatory": ("A1", "A2"), "Injury": ("C1", "C2"), "Musculoskeletal": ("C2", "C1"), "Digestive": ("B1", "B2"), "Pregnancy": ("D1", "D1"), "Nervous": ("E1", "E1"),
            "Neoplasm": ("E2", "E2"), "Infectious": ("ICU", "OBS"),
        }  # fmt: skip
        rows, ends, diagnoses = [], [], []
        for number in range(1, ADMISSIONS + 1):
            code, _, chapter, _ = self.rng.choices(own.ICD10, weights)[0]
            patient = self.patients[int(PATIENTS * self.rng.random() ** 1.35)]
            first = self.day()
            last = min(
                first + dt.timedelta(days=1 + int(self.rng.expovariate(1 / (4 if chapter != "Neoplasm" else 9)))),
                LAST_DAY,
            )
            ward = self.rng.choice(wards.get(chapter, ("OBS", "B2", "A2")))
            urgency = self.pick({"emergency": 62, "planned": 30, "transfer in": 8})
            rows.append((number, patient, ward, self.rng.choice(self.staff["Consultant"]), first, urgency))
            if last < dt.date(2024, 12, 27):
                where = self.pick({"home": 78, "care home": 10, "another hospital": 7, "died": 5})
                ends.append((number, last, where, self.maybe(int(self.rng.random() < 0.9), 0.95)))
            diagnoses.append((number, code, 1))
            others = {self.rng.choices(own.ICD10, weights)[0][0] for _ in range(self.rng.randrange(3))} - {code}
            diagnoses += [(number, other, 0) for other in sorted(others)]
            self.stays.append((number, patient, first, last, code, chapter))
        self.add("admission", rows)
        self.add("discharge", ends)
        self.add("admission_diagnosis", diagnoses)

    def _stays(self) -> None:
        wards = [w for w, _, _ in own.WARDS]
        moves = [
            (number, *self.rng.sample(wards, 2), self.day(first, last))
            for number, _, first, last, _, _ in self.stays
            if self.rng.random() < 0.22
        ]
        self.numbered("transfer", moves)
        beds = len(own.WARDS) * 18
        self.numbered(
            "bed_stay", [(s[0], self.rng.randrange(1, beds + 1), s[2], self.maybe(s[3], 0.97)) for s in self.stays]
        )
        self.numbered(
            "diet_order",
            [
                (s[0], self.rng.choices(range(1, 8), (50, 14, 12, 9, 6, 6, 3))[0], s[2])
                for s in self.stays
                if self.rng.random() < 0.6
            ],
        )
        signs = []
        for number, _, first, last, _, _ in self.stays:
            for _ in range(self.rng.randrange(4, 14)):
                sign = self.rng.choice(list(own.VITALS))
                low, high = own.VITALS[sign]
                at = f"{self.day(first, last).isoformat()} {self.rng.randrange(24):02}:{self.rng.randrange(60):02}"
                signs.append((number, at, sign, self.maybe(round(self.rng.triangular(low, high), 1), 0.98)))
        self.numbered("vital_sign", signs)

    def _theatres(self) -> None:
        operations, teams, gas, implants = [], [], [], []
        usual = {code: minutes for code, _, minutes in own.PROCEDURES}
        for number, _, first, last, code, _ in self.stays:
            procedure = own.OPERATED.get(code)
            if procedure is None or self.rng.random() > (0.95 if code != "I50.9" else 0.2):
                continue
            op = len(operations) + 1
            surgeon = self.staff["Surgeon"][int(len(self.staff["Surgeon"]) * self.rng.random() ** 1.8)]
            minutes = self.maybe(max(15, int(self.rng.gauss(usual[procedure], 14))), 0.97)
            operations.append(
                (
                    op,
                    number,
                    procedure,
                    self.rng.choices(range(1, 6), (28, 24, 26, 14, 8))[0],
                    surgeon,
                    self.day(first, last),
                    minutes,
                )
            )
            for nurse in self.rng.sample(self.staff["Nurse"], 2):
                teams.append((op, nurse, self.rng.choice(("scrub nurse", "circulating nurse"))))
            gas.append(
                (
                    op,
                    self.rng.choice(self.staff["Anaesthetist"]),
                    self.pick(own.METHODS),
                    self.maybe(self.rng.choices((1, 2, 3, 4), (14, 44, 32, 10))[0]),
                )
            )
            if procedure in own.IMPLANTS:
                implants.append((op, own.IMPLANTS[procedure], f"{procedure}-{self.rng.randrange(10_000, 99_999)}"))
        self.add("operation", operations)
        self.add("operation_staff", teams)
        self.add("anaesthesia", gas)
        self.numbered("implant", implants)

    def _laboratory(self) -> None:
        doctors = [*self.staff["Consultant"], *self.staff["Registrar"]]
        orders, results = [], []
        for number, _, first, last, _, _ in self.stays:
            for _ in range(self.rng.randrange(0, 4)):
                order = len(orders) + 1
                orders.append((order, number, self.rng.choice(doctors), self.day(first, last)))
                for test in sorted(self.rng.sample(range(len(own.TESTS)), self.rng.randrange(1, 4))):
                    low, high = own.TESTS[test][4:]
                    value = f"{self.rng.triangular(low, high, low + (high - low) * 0.3):.1f}"
                    odd = self.rng.random()
                    results.append(
                        (
                            order,
                            test + 1,
                            None if odd < 0.03 else "haemolysed" if odd < 0.04 else "<3" if odd < 0.05 else value,
                        )
                    )
        self.add("lab_order", orders)
        self.add("lab_result", results)
        images = [
            (
                s[0],
                self.rng.choices(range(1, 8), (40, 14, 12, 9, 6, 11, 8))[0],
                f"{self.day(s[2], s[3]):%d.%m.%Y}",
                self.rng.choices(own.FINDINGS, (38, 34, 12, 10, 6))[0],
            )
            for s in self.stays
            if self.rng.random() < 0.55
        ]
        self.numbered("imaging_report", images)
        units = [
            (
                f"U{n:05}",
                self.pick(own.BLOOD),
                self.day(dt.date(2022, 1, 1)),
                self.maybe(self.rng.choice(self.stays)[0], 0.6),
            )
            for n in range(1, 701)
        ]
        self.add("blood_unit", units)

    def _pharmacy(self) -> None:
        doctors = [*self.staff["Consultant"], *self.staff["Registrar"]]
        orders, given = [], []
        for number, _, first, last, _, chapter in self.stays:
            for drug in self.rng.sample(own.GIVEN[chapter], min(len(own.GIVEN[chapter]), self.rng.randrange(1, 4))):
                order, dose = len(orders) + 1, own.DRUGS[drug][3]
                per_day = self.rng.choices((1, 2, 3, 4), (40, 30, 18, 12))[0]
                orders.append((order, number, drug + 1, self.rng.choice(doctors), dose, per_day))
                for offset in range(min((last - first).days, 4)):
                    given.append(
                        (
                            order,
                            self.rng.choice(self.staff["Nurse"]),
                            first + dt.timedelta(days=offset),
                            int(self.rng.random() < 0.03),
                        )
                    )
        self.add("medication_order", orders)
        self.numbered("medication_admin", given)
        stock = [
            (
                n,
                self.rng.randrange(0, 900),
                self.maybe(100, 0.8),
                self.maybe(self.day(dt.date(2025, 1, 1), dt.date(2027, 12, 31))),
            )
            for n in range(1, 21)
        ]
        self.add("pharmacy_stock", stock)

    def _emergency(self) -> None:
        self.numbered(
            "ambulance",
            [(sign, self.maybe(self.pick(own.TOWNS)), 2009 + 2 * n) for n, sign in enumerate(own.CALL_SIGNS)],
        )
        runs = [
            (
                self.rng.choices(range(1, 7), (30, 24, 18, 13, 10, 5))[0],
                self.day(),
                self.maybe(self.pick(own.TOWNS), 0.97),
                self.maybe(int(self.rng.gammavariate(4, 3)) + 2),
                round(self.rng.gammavariate(3, 5), 1),
            )
            for _ in range(2_200)
        ]
        self.numbered("ambulance_run", runs)
        admitted = [s for s in self.stays if self.rng.random() < 0.5]
        visits = [(s[1], s[2], s[0]) for s in admitted] + [
            (self.rng.choice(self.patients), self.day(), None) for _ in range(3_000)
        ]
        rows = []
        for patient, day, admission in visits:
            level = self.rng.choices(range(1, 6), (4, 16, 38, 32, 10))[0]
            waited = self.maybe(int(self.rng.gammavariate(2, own.TRIAGE[level - 1][1] / 3 + 2)), 0.96)
            rows.append(
                (
                    patient,
                    day,
                    self.maybe(level, 0.98),
                    self.maybe(self.rng.randrange(1, len(runs) + 1), 0.3),
                    waited,
                    admission,
                )
            )
        self.numbered("emergency_visit", rows)

    def _outpatients(self) -> None:
        referrals = [
            (
                self.rng.choice(self.patients),
                self.rng.choices(range(1, 6), (34, 27, 18, 13, 8))[0],
                self.rng.randrange(1, 11),
                self.day(),
            )
            for _ in range(1_900)
        ]
        self.numbered("referral", referrals)
        states = {"attended": 74, "cancelled": 12, "missed": 9, "booked": 5}
        seen = [
            (
                n,
                r[0],
                self.rng.choice(self.staff["Consultant"]),
                r[3] + dt.timedelta(days=self.rng.randrange(7, 160)),
                self.pick(states),
            )
            for n, r in enumerate(referrals, 1)
        ]
        seen += [
            (
                None,
                self.rng.choice(self.patients),
                self.rng.choice(self.staff["Consultant"]),
                self.day(),
                self.pick(states),
            )
            for _ in range(1_200)
        ]
        self.numbered("appointment", seen)
        waiting = [
            (
                self.rng.choice(self.patients),
                self.rng.choices(own.PROCEDURES, (24, 28, 2, 3, 16, 6, 9, 1, 5, 6, 3, 4, 1))[0][0],
                self.day(dt.date(2023, 6, 1)),
                self.maybe(self.pick({"routine": 70, "soon": 22, "urgent": 8}), 0.95),
            )
            for _ in range(420)
        ]
        self.numbered("waiting_list", waiting)

    def _money(self) -> None:
        invoices, claims = [], []
        for number, patient, first, last, code, _ in self.stays:
            total = (
                380.0 * ((last - first).days + 1) + (2_900 if code in own.OPERATED else 0) + self.rng.randrange(0, 400)
            )
            issued = last + dt.timedelta(days=self.rng.randrange(3, 30))
            invoice = len(invoices) + 1
            invoices.append(
                (
                    invoice,
                    number,
                    issued,
                    round(total, 2),
                    self.maybe(issued + dt.timedelta(days=self.rng.randrange(5, 90)), 0.88),
                )
            )
            if patient in self.policies:
                state = self.pick({"paid": 81, "refused": 9, "open": 10})
                reason = self.rng.choice(("not covered", "late", "missing code")) if state == "refused" else None
                claims.append((invoice, self.policies[patient], state, reason))
        self.add("invoice", invoices)
        self.numbered("claim", claims)

    def _equipment(self) -> None:
        wards = [w for w, _, _ in own.WARDS]
        rows = [
            (
                kind,
                self.rng.choice(own.MAKERS),
                self.maybe(self.rng.choice(wards), 0.93),
                self.day(dt.date(2008, 1, 1)),
                f"{own.PRICES[kind] * self.rng.uniform(0.9, 1.15):,.0f}" if self.rng.random() < 0.93 else "donated",
            )
            for kind, count in own.EQUIPMENT.items()
            for _ in range(count)
        ]
        self.numbered("equipment", rows)
        checks = [
            (
                self.rng.randrange(1, len(rows) + 1),
                self.day(),
                int(self.rng.random() < 0.91),
                self.maybe(self.rng.randrange(40, 900), 0.9),
            )
            for _ in range(900)
        ]
        self.numbered("check", checks)
        purchases, lines = [], []
        for number in range(1, 501):
            ordered = self.day()
            purchases.append(
                (
                    number,
                    self.rng.choices(range(1, 7), (22, 26, 8, 21, 17, 6))[0],
                    self.rng.randrange(1, 11),
                    ordered,
                    self.maybe(ordered + dt.timedelta(days=self.rng.randrange(2, 45)), 0.95),
                    int(self.rng.lognormvariate(7.6, 0.9)),
                )
            )
            lines += [
                (number, n, self.rng.choice(own.ITEMS), self.rng.randrange(5, 400))
                for n in range(1, self.rng.randrange(2, 5))
            ]
        self.add("purchase", purchases)
        self.add("purchase_line", lines)
