CREATE TABLE plan (
    plan_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    price_eur DECIMAL(5, 2) NOT NULL,
    screens INTEGER NOT NULL,
    quality TEXT NOT NULL
);
CREATE TABLE subscriber (
    subscriber_id INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL,
    birth_date DATE,
    country TEXT NOT NULL,
    plan_id INTEGER NOT NULL REFERENCES plan (plan_id),
    joined_on DATE NOT NULL,
    cancelled_on DATE
);
CREATE TABLE title (
    title_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    release_year INTEGER NOT NULL,
    origin_country TEXT,
    runtime_min INTEGER,
    seasons INTEGER,
    age_rating TEXT
);
CREATE TABLE genre (
    genre_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL
);
CREATE TABLE title_genre (
    title_id INTEGER NOT NULL REFERENCES title (title_id),
    genre_id INTEGER NOT NULL REFERENCES genre (genre_id),
    PRIMARY KEY (title_id, genre_id)
);
CREATE TABLE creator (
    creator_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL
);
CREATE TABLE title_creator (
    title_id INTEGER NOT NULL REFERENCES title (title_id),
    creator_id INTEGER NOT NULL REFERENCES creator (creator_id),
    PRIMARY KEY (title_id, creator_id)
);
CREATE TABLE device (
    device_id INTEGER PRIMARY KEY,
    subscriber_id INTEGER NOT NULL REFERENCES subscriber (subscriber_id),
    type TEXT NOT NULL,
    -- Typed in by the people who own them: whole numbers, decimals, sometimes 'unknown'.
    "screen size" TEXT,
    registered_on DATE
);
CREATE TABLE viewing (
    viewing_id INTEGER PRIMARY KEY,
    subscriber_id INTEGER NOT NULL REFERENCES subscriber (subscriber_id),
    title_id INTEGER NOT NULL REFERENCES title (title_id),
    device_id INTEGER REFERENCES device (device_id),
    started_on DATE NOT NULL,
    minutes INTEGER NOT NULL,
    completed BOOLEAN NOT NULL
);
CREATE INDEX viewing_title ON viewing (title_id);
CREATE INDEX viewing_subscriber ON viewing (subscriber_id);
CREATE TABLE review (
    subscriber_id INTEGER NOT NULL REFERENCES subscriber (subscriber_id),
    title_id INTEGER NOT NULL REFERENCES title (title_id),
    stars INTEGER NOT NULL,
    reviewed_on DATE NOT NULL,
    PRIMARY KEY (subscriber_id, title_id)
);
CREATE TABLE distributor (
    distributor_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT
);
CREATE TABLE licence (
    licence_id INTEGER PRIMARY KEY,
    title_id INTEGER NOT NULL REFERENCES title (title_id),
    distributor_id INTEGER NOT NULL REFERENCES distributor (distributor_id),
    region TEXT NOT NULL,
    starts_on DATE NOT NULL,
    ends_on DATE,
    fee_eur INTEGER
);
CREATE VIEW title_popularity AS
SELECT title.name AS title, count(*) AS viewings, sum(viewing.minutes) AS minutes_watched
FROM title JOIN viewing USING (title_id)
GROUP BY title.title_id;
