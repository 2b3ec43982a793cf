CREATE TABLE studio (
    studio_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE person (
    person_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
-- Ratings come from several lists and are kept as they were written, 'n/a' included.
CREATE TABLE film (
    film_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    year INTEGER NOT NULL,
    genre TEXT NOT NULL,
    runtime INTEGER,
    studio_id INTEGER REFERENCES studio (studio_id),
    budget_musd REAL,
    gross_musd REAL,
    rating TEXT,
    oscars INTEGER NOT NULL
);
CREATE TABLE direction (
    film_id INTEGER NOT NULL REFERENCES film (film_id),
    director_id INTEGER NOT NULL REFERENCES person (person_id),
    PRIMARY KEY (film_id, director_id)
) WITHOUT ROWID;
CREATE TABLE casting (
    film_id INTEGER NOT NULL REFERENCES film (film_id),
    actor_id INTEGER NOT NULL REFERENCES person (person_id),
    "character" TEXT NOT NULL,
    billing INTEGER NOT NULL,
    PRIMARY KEY (film_id, actor_id)
) WITHOUT ROWID;
CREATE TABLE "release" (
    film_id INTEGER NOT NULL REFERENCES film (film_id),
    country TEXT NOT NULL,
    "Release Date" DATE
);
CREATE VIEW film_profit AS
    SELECT title, year, gross_musd - budget_musd AS profit_musd
    FROM film WHERE gross_musd IS NOT NULL AND budget_musd IS NOT NULL;
