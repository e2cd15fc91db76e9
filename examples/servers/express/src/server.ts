import { app } from "./app";
import { createSchema } from "./database/schema";
import { seedDatabase } from "./database/seed";
import { expireDueRecords } from "./expireDueRecords";
import { baseAddress, settings } from "./settings";

await createSchema();
await seedDatabase(settings.SEED, settings.USERS);
setInterval(() => expireDueRecords().catch(console.error), 1000);

const server = app.listen(settings.PORT, "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`listening on ${baseAddress}`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => server.close(() => process.exit(0)).closeAllConnections());
}
