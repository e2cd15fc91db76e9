module Seeds
  # Names which programs are known to stumble over; they are in every data set.
  SPECIAL_NAMES = [
    ["Jennifer", "Null"], ["Conan", "O'Brien"], ["Siobhán", "O'Brien"], ["Jean-Luc", "d'Aubigné"],
    ["Ana María", "García Márquez"], ["Thị Hồng", "Nguyễn"], ["Łukasz", "Żółkiewski"], ["Björk", "Guðmundsdóttir"],
    ["True", "Blue"], ["Pieter-Jan", "van der Berg"], ["Jo", "Li"], ["Mary Ann", "Smith-Jones"], ["Nil", "Test"],
    ["Renée", "Müller"], ["Zoë", "Ångström"], ["Percy", "Percent"]
  ].freeze

  NAMES = {
    english: [%w[Emma Oliver Grace Harry Chloe Daniel Sophie Thomas Megan William Lucy James],
              ["Smith", "Jones", "Taylor", "Brown", "Wilson", "O'Connor", "Smith-Jones", "McDonald"]],
    spanish: [["José", "María José", "Íñigo", "Lucía", "Ángel", "Juan Carlos", "Sofía", "Begoña"],
              ["García", "Muñoz", "Peña López", "de la Cruz", "Ibáñez", "García Márquez", "Núñez"]],
    german: [["Jürgen", "Käthe", "Hans-Peter", "Anneliese", "Sören", "Günther", "Lieselotte"],
             ["Müller", "Schröder", "Weiß", "von Bülow", "Köhler", "Müller-Lüdenscheidt"]],
    french: [["Jean-Luc", "Amélie", "François", "Anne-Marie", "Hélène", "Loïc", "Cécile"],
             ["Lefèvre", "d'Aubigné", "L'Hôpital", "Bérenger", "Durand", "de La Fontaine"]],
    polish: [%w[Łukasz Małgorzata Paweł Agnieszka Grażyna Krzysztof],
             %w[Wójcik Żółkiewski Kowalczyk Dąbrowska Śliwiński]],
    nordic: [%w[Åsa Bjørn Søren Þóra Maja Øyvind Anders],
             %w[Ångström Sørensen Guðmundsdóttir Lindqvist Bjørnstad]],
    irish: [%w[Siobhán Seán Niamh Ciarán Aoife Pádraig], ["O'Brien", "Ó Súilleabháin", "O'Neill", "Mac Giolla"]],
    dutch: [%w[Pieter Femke Joost Anouk Maarten], ["van der Berg", "de Vries", "'t Hooft", "van Dijk"]],
    italian: [%w[Niccolò Chiara Giosuè Beatrice Andrea], ["D'Angelo", "De Luca", "Rossi", "Dell'Acqua"]],
    vietnamese: [["Minh Đức", "Thị Hồng", "Quốc Bảo", "Thu Hà"], %w[Nguyễn Trần Phạm]],
    turkish: [%w[Çağlar Gülşen İbrahim Şebnem], %w[Yıldız Öztürk Şahin]],
    indian: [%w[Priya Arjun Lakshmi Vikram], %w[Patel Krishnamurthy Iyer]],
    russian: [%w[Иван Наталья Дмитрий], %w[Петров Соколова]],
    japanese: [%w[太郎 花子], %w[山田 佐藤]]
  }.freeze

  # Latin letters for the handles of the names which have none.
  LATIN = {
    "Иван" => "ivan", "Наталья" => "natalya", "Дмитрий" => "dmitry", "Петров" => "petrov", "Соколова" => "sokolova",
    "太郎" => "taro", "花子" => "hanako", "山田" => "yamada", "佐藤" => "sato"
  }.freeze

  def self.handle_part(name)
    plain = LATIN.fetch(name, name).unicode_normalize(:nfd).gsub(/\p{Mn}/, "")
    ActiveSupport::Inflector.transliterate(plain).downcase.delete("' ").gsub(/[^a-z0-9-]/, "")
  end
end
