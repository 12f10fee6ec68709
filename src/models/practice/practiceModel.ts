/** How the practice model is called wherever it shows: nobody shall take it for more. */
export const PRACTICE_LABEL = 'Practice model: no AI';
export const PRACTICE_MODEL = 'practice';
/** Never looked up: its requests are answered in this process. `.invalid` exists nowhere (RFC 2606). */
export const PRACTICE_BASE_URL = 'http://practice.invalid/v1';
