/** Makes ids that are unique for ever: `prefix_...`. Tests hand in a counter. */
export type IdSource = (prefix: string) => string;

export const randomIds: IdSource = (prefix) => `${prefix}_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`;
