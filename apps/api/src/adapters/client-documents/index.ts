export { makeReadClientDocument, type ReadClientDocument } from "./client-documents.ts";
