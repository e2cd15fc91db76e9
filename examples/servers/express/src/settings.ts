import { z } from "zod";

export const habitNames = [
  "pages-from-0",
  "etag",
  "null-word",
  "day-bounds",
  "coerce",
  "cursor-links",
  "hal",
  "queued-writes",
  "read-audit",
] as const;

const commaSeparated = (text: string) => text.split(",").map((part) => part.trim()).filter(Boolean);

export const settings = z
  .object({
    PORT: z.coerce.number().int().default(8000),
    TOKEN: z.string().min(1).default("secret"),
    SEED: z.coerce.number().int().default(1),
    USERS: z.coerce.number().int().min(10).default(200),
    HABITS: z.string().default("").transform(commaSeparated).pipe(z.array(z.enum(habitNames))),
  })
  .parse(process.env);

export const serverAddress = `http://127.0.0.1:${settings.PORT}`;
export const baseAddress = `${serverAddress}/api/v1`;
