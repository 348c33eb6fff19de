import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('the README stays within 80 lines', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  expect(readme.split('\n').length).toBeLessThanOrEqual(81)
})
