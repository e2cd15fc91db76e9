# Prints mutants of Ruby source as JSON: [mutator, start, end, replacement] for each file, with offsets of bytes.
# A small mutator on Ruby's own syntax tree, with the operators that the gem `mutant` documents.
require "json"

SWAPPED = {
  :== => %w[!=], :!= => %w[==], :< => %w[<= >], :> => %w[>= <], :<= => %w[<], :>= => %w[>], :+ => %w[-], :- => %w[+]
}.freeze
SIBLINGS = {
  first: %w[last], min: %w[max], max: %w[min], select: %w[reject], any?: %w[none?], present?: %w[blank?],
  fetch: %w[dig], future?: %w[past?], empty?: %w[any?], delete_prefix: %w[delete_suffix], with_deleted: %w[all only_deleted],
  only_deleted: %w[all with_deleted], where: %w[rewhere], restore: %w[touch], uniq: %w[to_a], length: %w[size]
}.freeze

class Mutator
  attr_reader :found

  def initialize(source)
    @source = source.b
    @lines = [0]
    @source.each_char.with_index { |char, at| @lines << at + 1 if char == "\n" }
    @found = []
    visit(RubyVM::AbstractSyntaxTree.parse(source))
    @found.select! { |_, from, to, text| valid?(from, to, text) }
    @found.uniq! { |_, from, to, text| [from, to, text] }
  end

  private

  def range(node)
    [@lines[node.first_lineno - 1] + node.first_column, @lines[node.last_lineno - 1] + node.last_column]
  end

  def text(node) = (from, to = range(node)) && @source[from...to].force_encoding("utf-8")

  def node?(value) = value.is_a?(RubyVM::AbstractSyntaxTree::Node)

  def nodes(values) = values.select { |value| node?(value) && value.type != :BEGIN }

  def add(mutator, node, replacement) = (@found << [mutator, *range(node), replacement] if node?(node))

  def valid?(from, to, text)
    mutated = (@source[0...from] + text.b + @source[to..]).force_encoding("utf-8")
    mutated.b != @source && RubyVM::AbstractSyntaxTree.parse(mutated) && true
  rescue SyntaxError
    false
  end

  def visit(node)
    return unless node?(node)

    mutate(node)
    node.children.each { |child| visit(child) }
  end

  def mutate(node)
    first, second, third = node.children
    case node.type
    when :OPCALL
      SWAPPED.fetch(second, []).each { |other| add("operator", node, "#{text(first)} #{other} #{text(third)}") }
      add("negation", node, text(first)) if second == :!
    when :AND, :OR
      add("connective", node, nodes(node.children).map { |part| text(part) }.join(node.type == :AND ? " || " : " && "))
      nodes(node.children).each { |part| add("operand", node, text(part)) }
    when :TRUE then add("literal", node, "false")
    when :FALSE then add("literal", node, "true")
    when :LIT then literal(node, first)
    when :DOT2 then add("range", node, "#{text(first)}...#{text(second)}")
    when :STR then string(node, first)
    when :CALL, :QCALL
      add("call removed", node, text(first))
      sibling(node, first, second)
    when :FCALL, :VCALL then SIBLINGS.fetch(first, []).each { |other| add("sibling", node, text(node).sub(first.to_s, other)) }
    when :IF, :UNLESS then add("condition", first, "!(#{text(first)})")
    when :BLOCK then nodes(node.children).each { |statement| add("statement removed", statement, "nil") }
    when :DEFN, :DEFS then add("body", node.children.last.children.last, "nil") if node.children.last.children.last
    when :LIST then elements(node)
    when :HASH then pairs(first)
    end
  end

  def literal(node, value)
    case value
    when Integer then [0, 1, value + 1].reject { |other| other == value }.each { |other| add("number", node, other.to_s) }
    when Symbol then add("symbol", node, text(node).sub(value.to_s, "#{value}_mutant"))
    when Range then add("range", node, text(node).sub("..", "..."))
    end
  end

  def string(node, value)
    return if value.empty?

    add("string", node, text(node).start_with?('"', "'") ? '""' : "")
  end

  def sibling(node, receiver, name)
    from = range(receiver).last
    rest = @source[from...range(node).last].force_encoding("utf-8")
    SIBLINGS.fetch(name, []).each { |other| add("sibling", node, text(receiver) + rest.sub(name.to_s, other)) }
  end

  # One element less, with the comma behind it or before it.
  def elements(node)
    parts = nodes(node.children)
    parts.each_cons(2) { |one, other| @found << ["element removed", range(one).first, range(other).first, ""] }
    return if parts.size < 2

    @found << ["element removed", range(parts[-2]).last, range(parts[-1]).last, ""]
  end

  def pairs(list)
    return unless node?(list)

    keys = list.children.each_slice(2).map(&:first).select { |key| node?(key) }
    keys.each_cons(2) { |one, other| @found << ["pair removed", range(one).first, range(other).first, ""] }
    value = list.children.compact.last
    @found << ["pair removed", range(list.children.compact[-4] ? list.children.compact[-3] : keys[-1]).last, range(value).last, ""] if keys.size > 1
  end
end

puts JSON.generate(ARGV.to_h { |file| [file, Mutator.new(File.read(file)).found] })
