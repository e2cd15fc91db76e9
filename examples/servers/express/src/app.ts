import express, { type ErrorRequestHandler, type RequestHandler, Router } from "express";
import createError from "http-errors";
import { ZodError } from "zod";
import { etagSetting } from "./habits";
import { directoryAttributes } from "./routes/directoryAttributes";
import { directoryDimensions } from "./routes/directoryDimensions";
import { directoryUsers } from "./routes/directoryUsers";
import { workspaceUsers } from "./routes/workspaceUsers";
import { settings } from "./settings";

const requireToken: RequestHandler = (req, res, next) => {
  if (req.get("Authorization") !== `Bearer ${settings.TOKEN}`) throw createError(401, "Missing or wrong access token");
  next();
};

const answerError: ErrorRequestHandler = (error, req, res, next) => {
  if (error instanceof ZodError) {
    res.status(400).json({ error: "Validation failed", issues: error.issues });
    return;
  }
  const status = error.status ?? 500;
  if (status >= 500) console.error(error);
  res.status(status).json({ error: status < 500 ? error.message : "Internal server error" });
};

const api = Router();
api.use(requireToken);
api.use(express.json());
api.use("/directory/users", directoryUsers);
api.use("/directory/attributes", directoryAttributes);
api.use("/directory/dimensions", directoryDimensions);
api.use("/workspace/users", workspaceUsers);

export const app = express();
app.set("query parser", "extended"); // filter[name]=value becomes { filter: { name: value } }
app.set("etag", etagSetting);
app.use("/api/v1", api);
app.use(answerError);
