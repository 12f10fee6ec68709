import { CALL_STREAMS } from './calls.ts';
import { FAILED_STREAMS } from './failures.ts';
import { TEXT_STREAMS } from './texts.ts';

export const STREAM_CASES = [...TEXT_STREAMS, ...CALL_STREAMS, ...FAILED_STREAMS];
