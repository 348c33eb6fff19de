/**
 * Makes the processes that tests start read TypeScript. Not the process of the tests itself: Vite does it there, and each import would go
 * through tsx's own thread.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

process.env['NODE_OPTIONS'] = `--import ${pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href}`
