"""The words from which the company is made."""

# Given names and family names, by language.
NAMES = [
    (["Jennifer", "William", "Grace", "Mary Ann", "Oliver"],
     ["Null", "Smith", "Taylor", "Smith-Jones", "True", "Van Buren"]),
    (["Siobhán", "Seán", "Aoife", "Pádraig"], ["O'Brien", "O'Connor", "Ó Súilleabháin", "Ní Dhomhnaill"]),
    (["José Luis", "María José", "Iñaki", "Lucía"], ["García Márquez", "Núñez", "Peña", "Muñoz-Ortega"]),
    (["João", "Inês", "Conceição", "Thiago"], ["dos Santos", "Gonçalves", "Araújo", "da Silva"]),
    (["François", "Chloé", "Jean-Pierre", "Anaïs"], ["L'Hôpital", "Lefèvre", "D'Aubigné", "Bélanger-Côté"]),
    (["Jürgen", "Käthe", "Hans-Jörg", "Mareike"], ["Müller", "Weiß", "Schäfer", "von der Heide"]),
    (["Łukasz", "Małgorzata", "Zbigniew", "Żaneta"], ["Wójcik", "Dąbrowski", "Kowalska-Nowak", "Żółkiewski"]),
    (["Jiří", "Kateřina", "Ondřej", "Tereza"], ["Dvořák", "Nováková", "Říha", "Svoboda"]),
    (["Søren", "Åsa", "Björk", "Þórdís"], ["Ødegård", "Lindström", "Jónsdóttir", "Bjørnsen"]),
    (["Ayşe", "Çağlar", "İbrahim", "Gülşen"], ["Yılmaz", "Şahin", "Öztürk", "Doğan"]),
    (["Nguyễn Thị", "Minh", "Hương", "Đức"], ["Nguyễn", "Trần", "Lê", "Phạm"]),
    (["Δημήτρης", "Ελένη"], ["Παπαδόπουλος", "Νικολάου"]),
    (["Олена", "Дмитро"], ["Шевченко", "Коваль"]),
    (["明", "美咲"], ["李", "佐藤"]),
    (["Amara", "Chinedu", "N'Golo", "Wanjikũ"], ["Okafor", "Adébáyò", "Mbeki", "Ng'ang'a"]),
    (["Priya", "Arjun", "Lakshmī", "Raj"], ["Iyer", "Patel", "D'Souza", "Singh"]),
]

# The handle part of the email address, for names that have no Latin letters.
LATIN = {
    "Δημήτρης": "dimitris", "Ελένη": "eleni", "Παπαδόπουλος": "papadopoulos", "Νικολάου": "nikolaou",
    "Олена": "olena", "Дмитро": "dmytro", "Шевченко": "shevchenko", "Коваль": "koval",
    "明": "ming", "美咲": "misaki", "李": "li", "佐藤": "sato",
}
WITHOUT_ACCENT = str.maketrans({
    "Ł": "l", "ł": "l", "Ø": "o", "ø": "o", "ß": "ss", "Þ": "th", "þ": "th", "ð": "d",
    "ı": "i", "Đ": "d", "đ": "d", "æ": "ae",
})

# Department: division, cost center, title of a manager, titles of individual contributors.
DEPARTMENTS = {
    "Engineering": ("Technology", "4100", "Engineering Manager", ["Software Engineer", "Site Reliability Engineer"]),
    "Security": ("Technology", "4200", "Security Manager", ["Security Analyst", "Identity Engineer"]),
    "Product": ("Technology", "4300", "Product Lead", ["Product Manager", "Designer"]),
    "Sales": ("Commercial", "5100", "Sales Manager", ["Account Executive", "Sales Engineer"]),
    "Customer Support": ("Commercial", "5200", "Support Manager", ["Support Engineer", "Support Specialist"]),
    "Finance": ("Corporate", "6100", "Finance Manager", ["Accountant", "Financial Analyst"]),
    "People & Culture": ("Corporate", "6200", "People Manager", ["Recruiter", "People Partner"]),
    "Legal": ("Corporate", "6300", "Legal Director", ["Counsel", "Contract Specialist"]),
}
DIVISIONS = ["Technology", "Commercial", "Corporate"]
LOCATIONS = ["Zürich", "São Paulo", "Kraków", "Dublin", "Montréal", "Nairobi", "Remote - Americas", "Remote - EMEA"]
WORKER_TYPES = ["Employee", "Contractor", "Intern"]
ACCESS_GROUPS = ["On-call Responders", "Production Access", "Data Stewards", "Workplace Council"]
EXECUTIVE_TITLES = ["Chief Executive Officer", "Vice President"]

ROLES = [
    "Source Control Developer", "Source Control Maintainer", "Shared Drive Editor", "Shared Drive Viewer",
    "Chat Channel Member", "Workspace Administrator", "Expense Approver", "Directory Viewer",
]
THEMES = ["ocean", "forest", "amber", "slate"]
PROJECTS = ["Atlas", "Blue Heron", "Cumulus", "Daybreak"]
FLOORS = ["Floor 1", "Floor 2", "Floor 3"]
