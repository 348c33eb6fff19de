/** The built page, as `build.mjs` writes it to `dist/page.js`: paths below the base path, such as `assets/app.js`. */
export declare const PAGE_FILES: Readonly<Record<string, { readonly type: string; readonly text: string }>>
