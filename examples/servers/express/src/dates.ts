import { z } from "zod";

export const dayInMilliseconds = 24 * 60 * 60 * 1000;

// Timestamps are stored as text, so that SQLite can compare them as they are.
export const millisecondText = (date: Date) => date.toISOString();

// Workspace users show microseconds. A JavaScript Date has none, so the last three digits are zeros.
export const microsecondText = (date: Date) => date.toISOString().replace("Z", "000Z");

export const anyDate = z.coerce.date<string>().max(new Date("9999-12-31T23:59:59.999Z"));

// Everything that JavaScript's Date can parse, but not its guesses: new Date("foo 1") would be the year 2001.
const startsLikeADate = /^\s*((mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s,.]*)*\d/i;
export const dateInQuery = z.string().regex(startsLikeADate).regex(/\d{4}/).pipe(anyDate);
