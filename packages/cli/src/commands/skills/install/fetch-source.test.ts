import { spawnSync } from 'node:child_process'
import { currentProcess } from '@hermes/core/file-system'
import { expect, it } from 'vitest'
import { isAbandoned } from './fetch-source.ts'

const NOW = Date.UTC(2026, 4, 12)

it('counts the folder of a process of this machine that has ended as abandoned, and that of a running one not', () => {
  const own = `hermes-install-${currentProcess.pid}-${currentProcess.host}-${NOW}-id-1`
  expect(isAbandoned(own, NOW)).toBe(false)
  const { pid } = spawnSync(process.execPath, ['--version'])
  expect(isAbandoned(own.replace(`-${currentProcess.pid}-`, `-${pid}-`), NOW)).toBe(true)
})
