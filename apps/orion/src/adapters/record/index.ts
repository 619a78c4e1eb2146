export {
  makeRecord,
  type ExecutedCall,
  type PostedVerdict,
  type RecordClient,
  type Standing,
} from "./record.ts";
