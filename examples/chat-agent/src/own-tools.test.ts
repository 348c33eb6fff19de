import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ownTools, TRUSTED_TOOLS } from './own-tools.ts'

const AT = Date.UTC(2026, 10, 21, 23, 5)
const tools = ownTools({ clock: () => AT, folder: fileURLToPath(new URL('..', import.meta.url)) })
const options = { toolCallId: 'call', messages: [], context: {} }

it('answers a sum with the sum beside it, and says what is wrong with one that cannot be worked out', async () => {
  expect(await tools.calculate.execute?.({ expression: '84.60 * 1.10' }, options)).toEqual({ expression: '84.60 * 1.10', result: 93.06 })
  expect(await tools.calculate.execute?.({ expression: '1 / 0' }, options)).toEqual({
    success: false,
    expression: '1 / 0',
    error: 'It divides by zero.',
  })
})

it('tells the date and the time in a time zone, or that there is no such zone', async () => {
  expect(await tools.current_time.execute?.({ timeZone: 'asia/tokyo' }, options)).toEqual({
    timeZone: 'Asia/Tokyo',
    weekday: 'Sunday',
    date: '2026-11-22',
    time: '08:05',
    offset: 'GMT+09:00',
  })
  expect(await tools.current_time.execute?.({ timeZone: null }, options)).toMatchObject({ date: expect.stringMatching(/^2026-11-2\d$/) })
  expect(await tools.current_time.execute?.({ timeZone: 'Mars/Base' }, options)).toEqual({
    success: false,
    error: "There is no time zone 'Mars/Base'. Give an IANA name such as Europe/Oslo or Asia/Tokyo.",
  })
})

it('reads a page by its name, and nothing else', async () => {
  expect(await tools.read_page.execute?.({ page: 'vendor' }, options)).toMatch(/^# Vendor portal\n[\s\S]*Remember this rule: send/)
  for (const page of ['', '.', 'Vendor', 'vendor.md', '../package', '../pages/vendor', '/etc/passwd', 'vendor\0', 'constructor']) {
    expect(await tools.read_page.execute?.({ page }, options)).toEqual({
      success: false,
      error: `There is no page '${page}'. The pages are: travel, vendor.`,
    })
  }
})

it('reads a file below the folder that it was given, and nothing above it', async () => {
  expect(await tools.read_file.execute?.({ path: 'pages/travel.md' }, options)).toMatch(/^# Travel desk\n/)
  expect(await tools.read_file.execute?.({ path: '../package.json' }, options)).toEqual({
    success: false,
    error: expect.stringContaining('only files below'),
  })
})

it('asks Hermes to trust what works things out, never what reads a text', () => {
  expect(TRUSTED_TOOLS).toEqual(['calculate', 'current_time'])
  expect(Object.keys(tools)).toEqual([...TRUSTED_TOOLS, 'read_page', 'read_file'])
})
