// Random values that are the same for the same seed (the generator is known as mulberry32).
import { dayInMilliseconds } from "../dates";

export function createRandom(seed: number) {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const integer = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1));
  const pick = <Item>(items: readonly Item[]) => items[integer(0, items.length - 1)];
  const chance = (probability: number) => fraction() < probability;
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  const id = (prefix: string) => prefix + Array.from({ length: 24 }, () => letters[integer(0, 35)]).join("");

  // Days count from the start of today (UTC). Nothing lies within two days of now.
  const today = Math.floor(Date.now() / dayInMilliseconds) * dayInMilliseconds;
  const latestPast = new Date(today - 2 * dayInMilliseconds - 60_000);
  const between = (from: Date, to: Date) => new Date(from.getTime() + Math.floor(fraction() * (to.getTime() - from.getTime())));
  const inDays = (days: number) => new Date(today + Math.floor(days * dayInMilliseconds));
  const past = (from: Date) => between(from, latestPast);
  const daysAgo = (fewest: number, most: number) => between(inDays(-most), inDays(-fewest));
  const inFuture = () => between(inDays(4), inDays(300));

  return { fraction, integer, pick, chance, id, between, past, daysAgo, inFuture };
}
