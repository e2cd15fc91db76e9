"""Names, places and other words that the generated data is made of."""

import unicodedata

FIRST_NAMES = """
Anna, José, Zoë, Jean-Pierre, Søren, Łukasz, Çağla, Siobhán, Mary Jane, Émilie, Björn, Noémie,
Jürgen, María José, Nguyễn, Ana Sofía, Xiào, Aoife, D'Arcy, Olga, Ольга, 美咲, Γιώργος, Fatima,
Mohammed, Priya, Liam, Emma, Noah, Olivia, Chloé, Mateusz, Ingrid, Renée, Vojtěch, Kateřina, İpek,
João, Inês, Anne-Marie, Per-Olof, Tomás, Ngozi, Kwame, Yuki, Hiroshi, Aarav, Sean, Grace, Ümit,
Ramón, Lucía, François, Hélène, Dagný, Þór, Mirela, Ștefan, Zsófia, Péter, True, Erik, Laura
""".replace("\n", " ")
LAST_NAMES = """
O'Brien, Null, Müller, García Márquez, van der Berg, de la Cruz, D'Angelo, Núñez, Smith-Jones,
Ó Súilleabháin, Dvořák, Kowalczyk, Wałęsa, Sørensen, Åkesson, Nguyễn Thị, Иванов, 田中,
Παπαδόπουλος, Yılmaz, Çelik, Öztürk, Lefèvre, L'Hôpital, Saint-Exupéry, Rodríguez, dos Santos,
Gonçalves, Schröder, Groß, Weiß, Jørgensen, Guðmundsdóttir, Þórsson, Popescu, Țurcanu, Szabó,
Kovács, Patel, Sharma, Okafor, Mensah, Tanaka, Chen, Li, Kim, MacDonald, McCarthy, Von Trapp,
Al-Hashimi, El Amrani, Ben-David, St. John, Brown, Taylor, Wilson, Undefined, Nil
""".replace("\n", " ")
COMMON_LAST_NAMES = ["Smith", "García", "Nguyễn", "Müller", "O'Brien", "Null"]

SPELLED_OUT = {
    "ø": "o", "ł": "l", "ß": "ss", "đ": "d", "æ": "ae", "ı": "i", "þ": "th", "ð": "d",
    "ольга": "olga", "иванов": "ivanov", "美咲": "misaki", "田中": "tanaka",
    "γιώργος": "giorgos", "παπαδόπουλος": "papadopoulos",
}

# Dimension handle: its name and its values.
DIMENSIONS = {
    "department": (
        "Department",
        "Engineering, Research & Development, Sales, Marketing, Finance, People Operations,"
        " Legal, Customer Support, Information Technology, Security",
    ),
    "division": ("Division", "Americas, Europe, Middle East and Africa, Asia-Pacific"),
    "cost_center": (
        "Cost Center",
        "1010 Platform, 1020 Applications, 2010 Field Sales, 2020 Partner Sales, 3010 Brand,"
        " 4010 Accounting, 5010 Recruiting, 6010 Counsel, 7010 Help Desk, 7020 Networks",
    ),
    "location": (
        "Location",
        "Zürich, São Paulo, København, Montréal, Kraków, Dublin, Reykjavík, Singapore, Tōkyō,"
        " New York, Coeur d'Alene, Remote",
    ),
    "title": (
        "Title",
        "Engineer, Senior Engineer, Staff Engineer, Account Executive, Analyst, Senior Analyst,"
        " Recruiter, Counsel, Support Agent, Designer, Product Manager, Administrator",
    ),
    "access": (
        "Access Profile",
        "Source Code, Production Servers, Customer Records, Payroll, Design Tools, Audit Reports",
    ),
}

NOTES = [
    "50% remote", "needs_review", "100% on site", "O'Hare shuttle", "prefers e-mail", "naïve café",
    "badge\\printed", "“vip”", "on leave until spring", "moved from Zürich",
]


def split(text: str) -> list[str]:
    return [item.strip() for item in text.split(",")]


def plain(text: str) -> str:
    """Lower-case ASCII letters, with dots between words: the form used in an address."""
    text = text.lower()
    for letters, spelled in SPELLED_OUT.items():
        text = text.replace(letters, spelled)
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = "".join(letter if letter.isalnum() else " " for letter in text.replace("'", ""))
    return ".".join(words.split())
