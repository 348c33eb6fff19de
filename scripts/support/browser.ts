/** A Chromium installed by `pnpm install`, for tests that look at a page. Needs nothing else on Linux x64. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

const PACKAGE = '@sparticuz/chromium'
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/chromium', import.meta.url))

/** Also unpacks the shared libraries that the package contains for machines without them; the variable tells the package to do so. */
const UNPACK = `import chromium from '${PACKAGE}'; await chromium.executablePath()`
const WITH_LIBRARIES = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }

/** The package's own font, so that pages look the same everywhere; the machine's fonts, if any, for missing characters. */
const FONTS = `<?xml version="1.0"?><fontconfig>
<dir prefix="relative">fonts</dir><dir>/usr/share/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir>
<alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
<alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`

/** A folder for this version, unpacked once; several processes may unpack at the same time. */
const unpacked = async (): Promise<string> => {
  const { version }: { version: string } = createRequire(import.meta.url)(
    join(dirname(fileURLToPath(import.meta.resolve(PACKAGE))), '../package.json'),
  )
  const folder = join(CACHE, version)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const fresh = await mkdtemp(`${folder}-`)
  try {
    const env = { ...process.env, ...WITH_LIBRARIES, TMPDIR: fresh }
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], {
      cwd: dirname(fileURLToPath(import.meta.url)),
      env,
    })
    await writeFile(join(fresh, 'fonts.conf'), FONTS)
    await rename(fresh, folder).catch((cause) => {
      if (!existsSync(folder)) throw cause
    })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return folder
}

/** Without a sandbox, which is not available to root, the user on many CI machines. Only for pages that we serve ourselves. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none']

const launchShipped = async (): Promise<Browser> => {
  const folder = await unpacked()
  const launch = (more: Readonly<Record<string, string>>): Promise<Browser> =>
    chromium.launch({
      executablePath: join(folder, 'chromium'),
      args: ARGUMENTS,
      env: { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf'), ...more },
    })
  // Prefers the machine's own libraries.
  return launch({}).catch(() => launch({ LD_LIBRARY_PATH: join(folder, 'al2023/lib') }))
}

/**
 * Starts a browser without a window. `HERMES_TEST_BROWSER`: the path of another Chromium or Chrome, required on machines other than Linux
 * on x64. If none can be started: returns undefined and prints the reason; in CI (`CI` is set) it throws.
 */
export const startBrowser = async (): Promise<Browser | undefined> => {
  const executablePath = process.env['HERMES_TEST_BROWSER'] ?? ''
  try {
    if (executablePath !== '') return await chromium.launch({ executablePath, args: ARGUMENTS })
    if (process.platform === 'linux' && process.arch === 'x64') return await launchShipped()
    throw new Error('The Chromium of the workspace is for Linux on x64. Set HERMES_TEST_BROWSER to the path of a Chromium or Chrome.')
  } catch (cause) {
    if (process.env['CI']) throw cause
    console.error(`NO BROWSER, so the tests of pages are skipped: ${cause instanceof Error ? cause.message : String(cause)}`)
    return undefined
  }
}
