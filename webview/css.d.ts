/** Styles are bundled by esbuild; nothing is imported from them. */
declare module '*.css';
