# Everything random in the data, from one seed.
class Chance
  LETTERS = [*"a".."z", *"0".."9"].freeze
  NEWEST = 3 # days; nothing in the data is closer to now than that
  OLDEST = 729

  def initialize(seed)
    @random = Random.new(seed)
    @today = Time.current.beginning_of_day
  end

  def id(prefix) = "#{prefix}_#{Array.new(16) { pick(LETTERS) }.join}"

  def pick(list) = list[@random.rand(list.size)]

  def some(list, count) = list.shuffle(random: @random).first(count)

  def shuffle(list) = list.shuffle(random: @random)

  def number(range) = @random.rand(range)

  def one_in?(count) = @random.rand(count).zero?

  # { value => weight }
  def weighted(weights)
    point = @random.rand(weights.values.sum)
    weights.each { |value, weight| return value if (point -= weight).negative? }
  end

  # A moment between two others, by default in the last two years.
  def past(after: nil, digits: 0)
    after ||= @today - OLDEST.days
    newest = @today - NEWEST.days
    (after + @random.rand * [newest - after, 0].max).round(digits)
  end

  def future(days: 4..400, digits: 0) = (@today + number(days).days + @random.rand * 1.day).round(digits)
end
