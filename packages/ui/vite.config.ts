/** How the page is built; see build.mjs. */
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'src/page',
  // The host chooses where it is mounted.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/page',
    emptyOutDir: true,
    target: 'es2022',
    // The policy allows no inline script, and every supported browser preloads modules itself.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
})
