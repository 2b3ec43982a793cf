"""Questions about the sample sources: the planner's query gives what a query written by hand gives, or refuses."""

from __future__ import annotations

import pytest

from core.sources.catalog import Catalog
from tests.planner.same_answer import CINE, GEO, assert_refused, assert_same

FILM = "SELECT title FROM film JOIN direction USING (film_id) JOIN person d ON d.person_id = director_id"
CASES = [
    ("films_sql", "which director's films earned the most in total?", "SELECT name FROM person JOIN direction ON person_id = director_id JOIN film USING (film_id) GROUP BY person_id ORDER BY sum(gross_musd) DESC LIMIT 1"),
    ("films_sql", "which genre earns the most on average?", "SELECT genre FROM film GROUP BY genre ORDER BY avg(gross_musd) DESC LIMIT 1"),
    ("films_sql", "What is the highest grossing film?", "SELECT title FROM film ORDER BY gross_musd DESC LIMIT 1"),
    ("films_sql", "How many Universal films won at least one Oscar?", "SELECT count(*) FROM film JOIN studio USING (studio_id) WHERE name = 'Universal' AND oscars >= 1"),
    ("films_sql", "Which films by Christopher Nolan won an Oscar?", f"{FILM} WHERE d.name = 'Christopher Nolan' AND oscars >= 1"),
    ("films_sql", "Which films cost more than 200 million dollars?", "SELECT title FROM film WHERE budget_musd > 200"),
    ("films_sql", "Which films are longer than three hours?", "SELECT title FROM film WHERE runtime > 180"),
    ("films_sql", "Which movies opened in US theaters in June 1982?", 'SELECT title FROM film JOIN release USING (film_id) WHERE "Release Date" LIKE \'1982-06%\''),
    ("films_sql", "How many films were not released by Warner Bros.?", "SELECT count(*) FROM film WHERE studio_id NOT IN (SELECT studio_id FROM studio WHERE name = 'Warner Bros.')"),
    ("films_sql", "Which Scorsese films have Robert De Niro in them?", f"{FILM} JOIN casting USING (film_id) JOIN person a ON a.person_id = actor_id WHERE d.name = 'Martin Scorsese' AND a.name = 'Robert De Niro'"),
    ("films_sql", "worldwide box office of Slumdog Millionaire", "SELECT gross_musd FROM film WHERE title = 'Slumdog Millionaire'"),
    ("clinic", "What is the highest TSH value the laboratory has reported?", "SELECT max(CAST(value AS REAL)) FROM lab_results WHERE test = 'TSH'"),
    ("clinic", "How many of the clinic's patients have been diagnosed with migraine?", "SELECT count(DISTINCT patient_id) FROM visits JOIN diagnoses USING (code) WHERE name LIKE 'Migraine%'"),
    ("clinic", "How many female patients live in Bergen?", "SELECT count(*) FROM patients WHERE sex = 'F' AND city = 'Bergen'"),
    ("clinic", "How many patients were not prescribed metformin?", "SELECT count(*) FROM patients WHERE patient_id NOT IN (SELECT patient_id FROM visits JOIN prescriptions USING (visit_id) WHERE drug = 'Metformin')"),
    ("clinic", "Which doctor has brought in the most in visit fees?", "SELECT name FROM doctors JOIN visits USING (doctor_id) GROUP BY doctor_id ORDER BY sum(fee_eur) DESC LIMIT 1"),
    ("clinic", "in which year did Dr. Osei have the most visits", "SELECT CAST(substr(visit_date, 1, 4) AS INTEGER) y FROM visits JOIN doctors USING (doctor_id) WHERE name = 'Kwame Osei' GROUP BY y ORDER BY count(*) DESC LIMIT 1"),
    ("clinic", "Which drugs were prescribed most often?", "SELECT drug FROM prescriptions GROUP BY drug ORDER BY count(*) DESC LIMIT 1"),
    ("clinic", "how much has the clinic spent on coffee in total?", 'SELECT sum(amount_eur) FROM "order" WHERE item = \'Coffee\''),
    ("clinic", "what does the diagnosis code E55.9 stand for", "SELECT name FROM diagnoses WHERE code = 'E55.9'"),
    ("clinic", "Which doctors are cardiologists?", "SELECT name FROM doctors WHERE specialty = 'Cardiology'"),
    ("science_graph", "Who was the advisor of Gauss?", "MATCH (a)-[:ADVISED]->({name: 'Carl Friedrich Gauss'}) RETURN DISTINCT a.name"),
    ("science_graph", "Who was Gauss's advisor?", "MATCH (a)-[:ADVISED]->({name: 'Carl Friedrich Gauss'}) RETURN DISTINCT a.name"),
    ("science_graph", "who advised the advisor of Riemann", "MATCH (a)-[:ADVISED]->()-[:ADVISED]->({name: 'Bernhard Riemann'}) RETURN DISTINCT a.name"),
    ("science_graph", "Who was the advisor of the advisor of Riemann?", "MATCH (a)-[:ADVISED]->()-[:ADVISED]->({name: 'Bernhard Riemann'}) RETURN DISTINCT a.name"),
    ("science_graph", "Who was advised by Gauss?", "MATCH ({name: 'Carl Friedrich Gauss'})-[:ADVISED]->(a:Scientist) RETURN DISTINCT a.name"),
    ("film_graph", "what movie is Vanilla Sky a remake of", "MATCH (:Film {title: 'Vanilla Sky'})-[:REMAKE_OF]->(f) RETURN f.title"),
    ("film_graph", "Which film was Star Wars influenced by?", "MATCH (:Film {title: 'Star Wars'})<-[:INFLUENCED]-(f) RETURN f.title"),
    ("supply_chain", "Who supplies the Lithium Cell?", "MATCH (s:Supplier)-[:SUPPLIES]->(:Part {name: 'Lithium Cell'}) RETURN s.name"),
    ("countries", "In which South American countries is Spanish not an official language?", GEO + " SELECT ?c { ?c a geo:Country ; geo:continent place:South_America_continent FILTER NOT EXISTS { ?c geo:officialLanguage place:Spanish_language } }"),
    ("countries", "Which countries have more than 100 million people?", GEO + " SELECT ?c { ?c a geo:Country ; geo:population ?p FILTER(?p > 100000000) }"),
    ("countries", "How many people live in Nigeria?", GEO + " SELECT ?p { place:Nigeria geo:population ?p }"),
    ("countries", "What are the capitals of Hungary's neighbours?", GEO + " SELECT ?k { place:Hungary geo:borders ?n . ?n geo:capital ?k }"),
    ("films_rdf", "Which Japanese films won the Palme d'Or?", CINE + " SELECT ?f { ?f cine:countryOfOrigin ?c ; cine:wonPrize ?p . ?c rdfs:label 'Japan'@en . ?p rdfs:label \"Palme d'Or\"@en }"),
    ("films_rdf", "Which films were shot by Sven Nykvist?", CINE + " SELECT ?f { ?f cine:cinematographer ?p . ?p rdfs:label 'Sven Nykvist'@en }"),
    ("film_graph", "Who directed the films that were influenced by Metropolis?", "MATCH (:Film {title: 'Metropolis'})-[:INFLUENCED]->(:Film)<-[:DIRECTED]-(p) RETURN DISTINCT p.name"),
    ("film_graph", "films by Christopher Nolan", "MATCH (:Person {name: 'Christopher Nolan'})-[:DIRECTED]->(f) RETURN f.title"),
    ("film_graph", "What rating does Frozen get from the critics on average?", "MATCH ()-[r:REVIEWED]->(:Film {title: 'Frozen'}) RETURN avg(r.rating)"),
    ("film_graph", "How many films were screened at Berlin in 2010?", "MATCH (:Festival {name: 'Berlin'})-[s:SCREENED {year: 2010}]->(f) RETURN count(DISTINCT f)"),
    ("film_graph", "Which outlet has the most critics?", "MATCH (c:Critic) RETURN c.outlet, count(c) AS n ORDER BY n DESC LIMIT 1"),
    ("supply_chain", "By which ports does a container travel by sea from the Port of Da Nang to the Port of Los Angeles?", "MATCH p = (:Port {name: 'Port of Da Nang'})-[:SEA_LANE*1..4]->(:Port {name: 'Port of Los Angeles'}) RETURN [n IN nodes(p) | n.name]"),
    ("supply_chain", "How many suppliers are in Germany or France?", "MATCH (s:Supplier) WHERE s.country IN ['Germany', 'France'] RETURN count(s)"),
    ("supply_chain", "how many shipments were there per year", "MATCH (s:Shipment) RETURN s.shipped.year, count(s)"),
    ("supply_chain", "Which products cost more than 300 euros?", "MATCH (p:Product) WHERE p.price_eur > 300 RETURN p.name"),
    ("supply_chain", "Where is the Fjell Tent Pro assembled?", "MATCH (:Product {name: 'Fjell Tent Pro'})-[:ASSEMBLED_AT]->(f) RETURN f.name"),
    ("supply_chain", "Which customers are in Portugal?", "MATCH (c:Customer {country: 'Portugal'}) RETURN c.name"),
]  # fmt: skip
REFUSED = [
    ("countries", "Which customers are in Portugal?", "customers"),
    ("countries", "gdp of Vietnam", "gdp"),
    ("countries", "What is the population density of Japan?", "density"),
    ("films_sql", "Which films lost money?", "lost"),
    ("films_sql", "Who edited Raging Bull?", "edited"),
    ("clinic", "How many lab results were abnormal?", "abnormal"),
    ("clinic", "Which patients are allergic to penicillin?", "penicillin"),
    ("supply_chain", "How high is the unemployment rate in Portugal?", "unemployment"),
]
"""What a source does not hold, and the word that a refusal names."""


@pytest.mark.slow
@pytest.mark.parametrize(("source_id", "question", "gold"), CASES, ids=[case[1][:60] for case in CASES])
def test_the_query_gives_what_one_by_hand_gives(samples: Catalog, source_id: str, question: str, gold: str) -> None:
    assert_same(samples[source_id], question, gold)


@pytest.mark.slow
@pytest.mark.parametrize(("source_id", "question", "named"), REFUSED, ids=[case[1][:60] for case in REFUSED])
def test_what_is_not_there_is_refused_by_name(samples: Catalog, source_id: str, question: str, named: str) -> None:
    assert_refused(samples[source_id], question, named)
