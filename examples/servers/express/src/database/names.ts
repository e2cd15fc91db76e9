// Invented people. Each list pairs the given names and family names of one language.
export const nameLists = [
  { first: ["James", "Olivia", "Grace", "Henry", "Mary Ann", "Theo"], last: ["Smith", "Taylor", "Baker", "Lloyd-Jones", "Hughes"] },
  { first: ["Jürgen", "Anna-Lena", "Björn", "Käthe", "Matthias", "Hans-Peter"], last: ["Müller", "Schmidt", "Groß", "von der Heide", "Köhler"] },
  { first: ["Élodie", "Jean-Luc", "François", "Chloé", "Noémie", "René"], last: ["Dupont", "D'Amour", "Lefèvre", "de La Tour", "Gauthier"] },
  { first: ["María José", "Íñigo", "Lucía", "Andrés", "Begoña"], last: ["García López", "Núñez", "Smith", "Ibáñez", "de la Cruz"] },
  { first: ["João", "Inês", "Conceição", "Tomé"], last: ["da Silva", "Gonçalves", "Assunção", "dos Santos"] },
  { first: ["Łukasz", "Małgorzata", "Zbigniew", "Świętosława"], last: ["Wiśniewski", "Dąbrowska", "Żółć", "Nowak-Lis"] },
  { first: ["Søren", "Åsa", "Jørgen", "Märta", "Bjørk"], last: ["Ødegård", "Lindström", "Nygård", "Åkesson", "Müller"] },
  { first: ["Giulia", "Niccolò", "Pier Paolo", "Zoë"], last: ["D'Angelo", "Dell'Acqua", "Rossi", "Lo Presti"] },
  { first: ["Şebnem", "Çağrı", "İlker", "Gülşen"], last: ["Yılmaz", "Öztürk", "Aydoğan", "Çelik"] },
  { first: ["Nguyễn", "Thu Hà", "Priya", "Arjun"], last: ["Trần", "Phạm", "Sharma", "Iyer"] },
];

// These people are in every directory of more than about 60 users.
export const specialPeople = [
  { first_name: "Jennifer", last_name: "Null" },
  { first_name: "Siobhán", last_name: "O'Brien" },
  { first_name: "Conor", last_name: "O'Brien" },
  { first_name: "Ольга", last_name: "Петрова", handle: "olga.petrova" },
  { first_name: "芳", last_name: "王", handle: "wang.fang" },
  { first_name: "Γιώργος", last_name: "Παπαδόπουλος", handle: "g.papadopoulos" },
  { first_name: "Test", last_name: "100%_User" },
];

export const departments = [
  { name: "Engineering", division: "Product", titles: ["Software Engineer", "Site Reliability Engineer", "QA Engineer"] },
  { name: "Design", division: "Product", titles: ["Product Designer", "User Researcher"] },
  { name: "Sales", division: "Commercial", titles: ["Account Executive", "Sales Engineer"] },
  { name: "Marketing & Communications", division: "Commercial", titles: ["Content Editor", "Event Planner"] },
  { name: "Finance", division: "Corporate", titles: ["Accountant", "Payroll Specialist"] },
  { name: "People Operations", division: "Corporate", titles: ["Recruiter", "HR Partner"] },
];
export const divisions = ["Product", "Commercial", "Corporate"];
export const titles = ["Chief Executive", "Vice President", "Team Manager", ...departments.flatMap((department) => department.titles)];
export const locations = ["Zürich", "São Paulo", "Kraków", "Malmö", "Saint-Étienne", "New York", "Bengaluru", "Remote"];
export const costCenters = ["CC-1000 Research", "CC-2000 Platform", "CC-3100 Field Sales", "CC-4000 Brand", "CC-9000 Overhead"];
export const roleNames = ["Viewer", "Editor", "Approver", "Repository Maintainer", "Billing Reader", "Auditor"];
