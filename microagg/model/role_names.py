"""Words by which files call their columns, and what they say of a column's role.

English first, with the usual German, French, Spanish and Italian words, and the names that EU-SILC, IPUMS
and the Demographic and Health Surveys give to columns whose names say nothing. Secrets are the special
categories of personal data of the General Data Protection Regulation, articles 9 and 10; race and ethnicity
are not among them here, since what can be seen also tells people apart.
"""

from __future__ import annotations

import re
import unicodedata

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[a-z]+")
_KEPT = re.compile(r"[^a-z0-9]")


def words(name: str) -> tuple[str, ...]:
    """Words of a column's name in small letters, without accents, digits and single letters.

    Examples
    --------
    >>> words("ZIP Code"), words("HouseholdID"), words("isco08_3d"), words("Größe")
    (('zip', 'code'), ('household', 'id'), ('isco',), ('grosse',))
    """
    split = _CAMEL.sub(" ", name).replace("ß", "ss").lower()
    return tuple(word for word in _WORD.findall(_plain(split)) if len(word) > 1)


def key(name: str) -> str:
    """A name's letters and digits alone, for names that are known as they stand."""
    return _KEPT.sub("", _plain(name.lower()))


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


ID_WORDS = _set(
    "id ids identifier ident uid key record serial no nr num nbr number nummer numero code ref reference idx"
)
"""Beside a unit's word: the column only numbers it."""

PERSON_NUMBERS = _set(
    "mrn nino rut dni cpr bsn ssn nhs iban passport passportno accountno nationalnumber nationalid "
    "nationalno svnr sozialversicherungsnummer steuernummer steuerid ausweisnummer versichertennummer "
    "kontonummer codicefiscale"
)
"""Numbers that a state, a bank or a hospital gives to one person, however many records share each."""
IDENTIFIER_WORDS = PERSON_NUMBERS | _set(
    "id ids identifier uid key record serial caseid personid persid pid patid patientid respid respondentid "
    "custid customerid clientid userid empid employeeid studentid memberid subjectid recordid recid uuid "
    "guid seqn"
)
NUMBERED = _set(
    "case serial respondent person member account customer client patient policy file registration insurance "
    "security national fiscal bank tax licence license card student employee staff personnel invoice order "
    "ticket social phone"
)
"""With a word for "number": each record has its own."""
NUMBER_WORDS = _set("no nr num nbr number nummer numero id")

NAME_WORDS = _set(
    "name names surname lastname firstname forename fullname middlename maidenname nickname nachname vorname "
    "familienname nombre apellido apellidos prenom nom cognome nome username"
)
NAMES_OF_THINGS = _set(
    "region country city town state district province municipality county place village area street job "
    "occupation industry sector branch product brand drug variable department dept ward school hospital unit "
    "file column company firm employer enterprise business category class type course disease"
)
"""What these are the names of is no person."""
CONTACT_WORDS = _set(
    "email mail phone telephone telefon tel mobile cell fax address adresse anschrift direccion street "
    "strasse url website ip handy"
)

UNITS = _set(
    "household households hh hhold hhid hid hhno hhnr hhnum haushalt hogar menage dwelling family famid fam "
    "firm firmid company enterprise establishment plant employer business farm holding patient patientid "
    "patid pid orgid familie unternehmen betrieb empresa entreprise serial firma firmennr firmennummer "
    "firmanr betriebsnr schoolid schoolnr schulnr classid klassennr kundennr kundennummer custno customerno"
)
WEAK_UNITS = _set(
    "person individual subject participant respondent member customer client student pupil employee case "
    "mother couple pair twin school schule class klasse kunde"
)
"""Units only beside a word for "number": alone they may count something."""
GATHERING = _set("school schule class klasse customer client kunde patient employer")
"""Alone they name a unit where there are many of them."""

WEIGHT_SURE = re.compile(
    r".*wgh?t.*|(final|sampl\w*|survey|design|person|pers|per|hh|house|household|ind|indiv|cal|calib|base|"
    r"asec|earn|rep|p|f|a|h|i|w|x)(weights?|wts?)|wt(s|final|finl|per|hh|ssall)|(exp|expansion|raising)fac"
    r"(tor)?|facexp|hochrechnungsfaktor|ponderation|ponderacion"
)
WEIGHT_WORDS = _set("weight weights wt wts gewicht gewichtung poids peso")
WEIGHT_COMPANY = _set(
    "sample sampling survey design final calibrated calibration cal base person pers individual hh household "
    "expansion grossing cross sectional longitudinal adjusted post poststratification poststrat frequency "
    "probability inverse replicate rep response nonresponse panel population pop stat ipw"
)
BODY_COMPANY = _set(
    "kg kgs lb lbs gram grams body birth baby child dry cargo freight ship shipping gross net tare product "
    "parcel item loss gain change mother maternal koerper korper curb vehicle height"
)
FACTOR_COMPANY = _set("expansion raising grossing inflation weighting")

CODE_WORDS = _set(
    "region reg zip zipcode postcode postal plz nuts lau nace sic naics isco soc race ethnicity ethnic sex "
    "gender geschlecht sexo sexe marital marst civil citizenship nationality nativity birthplace country "
    "state statefip fips county countyfip province district municipality gemeinde kanton canton bundesland "
    "land city town village commune department dept ward area occupation occ beruf industry ind branch "
    "sector "
    "economic relate relation relationship relhead language lang tenure stratum strata puma msa metro "
    "cluster "
    "psu urban rural school hospital clinic facility continent activity status migration dwelling ownership "
    "bpl empstat labforce classwkr educd"
)
EDUCATION_WORDS = _set("education educ edu isced qualification degree schooling bildung edlevel educattain")
CODE_FILLERS = _set(
    "code codes cd id nr no num number of the de residence birth origin work working home current main usual "
    "first second level levels digit digits dig category cat group groups grp class recode detailed general "
    "type usual economic highest completed attained head self respondent last job place geo fin harmonised "
    "name postal admin adm parent mother father rev revision version"
)

SECRET = re.compile(
    r"diagnos\w*|diseases?|illness\w*|sickness|icd|hiv|aids|cancer|tumou?r\w*|disab\w*|handicap\w*|chronic|"
    r"medical|medicine|medication\w*|drugs?|therap\w+|treatments?|pregnan\w+|abortion\w*|mental|depress\w*|"
    r"psych\w+|suicid\w+|addict\w*|alcohol\w*|health|\w*morbid\w*|symptom\w*|genetic\w*|genotype|"
    r"relig\w+|faith|church|denomination|konfession|party|vot(e|es|ed|ing)|political|politics|partei|"
    r"sexual\w*|lgbt\w*|crim\w+|offen[cs]es?|convict\w*|arrest\w*|prison|felon\w*|krankheit|enfermedad|"
    r"maladie|infect\w*|allerg\w*|vih|sti|std|biometric\w*"
)
SECRET_EXCUSED = _set("size region area district date year insurance age number members count guests")
"""Beside these, the word does not name a secret: party size, health region."""

DATE_WORDS = _set("date datum dob fecha data day birthdate birthday birth dt dates time timestamp")
COUNTING_WORDS = _set(
    "age years year yr month week day hour hours time period quarter rank score income wage salary earnings "
    "revenue sales price cost amount size count quantity value turnover rent tax alter jahr edad ano"
)
"""Names of amounts: a run of whole numbers called so is no serial number."""

KNOWN: dict[str, tuple[str, str]] = {
    **dict.fromkeys(
        ("db030", "hb030", "rx030", "px030", "hx030"), ("unit", "EU-SILC's number of the household")
    ),
    "hrhhid": ("unit", "the Current Population Survey's number of the household"),
    "serialno": ("unit", "the American Community Survey's number of the household"),
    **dict.fromkeys(("rb030", "pb030"), ("identifier", "EU-SILC's number of the person")),
    "cpsidp": ("identifier", "IPUMS's number of the person"),
    **dict.fromkeys(
        ("db090", "rb050", "rb060", "rb062", "pb040", "pb060", "rl070"), ("weight", "EU-SILC's weight")
    ),
    **dict.fromkeys(("perwt", "hhwt", "asecwt", "wtfinl", "earnwt"), ("weight", "IPUMS's weight")),
    **dict.fromkeys(("pwgtp", "wgtp"), ("weight", "the American Community Survey's weight")),
    **dict.fromkeys(
        ("v005", "hv005", "mv005"), ("weight", "the weight of the Demographic and Health Surveys")
    ),
    "db040": ("code", "EU-SILC's region"),
    **dict.fromkeys(("rb090", "pb150"), ("code", "EU-SILC's sex")),
    "pb190": ("code", "EU-SILC's marital status"),
    **dict.fromkeys(("pl050", "pl051"), ("code", "EU-SILC's occupation")),
    "pl111": ("code", "EU-SILC's branch"),
    **dict.fromkeys(("rb210", "pl031"), ("code", "EU-SILC's activity status")),
    **dict.fromkeys(("pe040", "pe041"), ("education", "EU-SILC's education")),
    **dict.fromkeys(("ph010", "ph020", "ph030"), ("secret", "EU-SILC's health")),
    **dict.fromkeys(("v024", "hv024"), ("code", "the region of the Demographic and Health Surveys")),
    **dict.fromkeys(("v025", "hv025"), ("code", "town or country, of the Demographic and Health Surveys")),
    **dict.fromkeys(("v001", "hv001"), ("code", "the cluster of the Demographic and Health Surveys")),
    "v106": ("education", "education, of the Demographic and Health Surveys"),
    "v130": ("secret", "the religion of the Demographic and Health Surveys"),
    "v131": ("code", "ethnicity, of the Demographic and Health Surveys"),
    "v501": ("code", "marital status, of the Demographic and Health Surveys"),
}
"""Names that say nothing → kind of column, and what it is."""
