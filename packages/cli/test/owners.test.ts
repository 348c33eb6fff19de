import { createHermesHomes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, temporaryHome } from './run-hermes.ts'

/** A server's folder with the homes of Ada, who is a user of acme, and of Bob. */
const serverFolder = async () => {
  const home = temporaryHome()
  const homes = createHermesHomes({ storage: fileSystemBackend(home) })
  await homes.for({ tenant: 'acme', user: 'ada' }).memoryStore().apply('user', { action: 'add', content: 'Likes tea' })
  await homes.for('Bob').memoryStore().apply('user', { action: 'add', content: 'Likes coffee' })
  await homes.close()
  return home
}

describe('--user', () => {
  it('shows and changes the memory of one of many people', async () => {
    const home = await serverFolder()
    const shown = await runHermes(['memory', 'show', '--home', home, '--tenant', 'acme', '--user', 'ada'])
    expect(shown.stdout).toContain('Likes tea')
    expect(shown.stdout).not.toContain('coffee')
    expect((await runHermes(['memory', 'add', 'Deploys with Kamal', '--home', home, '--user', 'Bob'])).code).toBe(0)
    expect((await runHermes(['memory', 'show', '--home', home, '--user', 'Bob'])).stdout).toMatch(/Kamal[\s\S]*coffee/)
    expect((await runHermes(['journal', 'list', '--home', home, '--user', 'Bob'])).stdout).toContain('Kamal')
    expect((await runHermes(['memory', 'show', '--home', home, '--user', 'bob'])).stdout).not.toContain('coffee')
  })

  it('warns about a user of whom nothing is stored', async () => {
    const home = await serverFolder()
    const shown = await runHermes(['memory', 'show', '--home', home, '--user', 'Bobb'])
    expect(shown).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing is stored for this user yet.') })
    expect((await runHermes(['memory', 'show', '--home', home, '--user', 'Bob'])).stderr).toBe('')
    expect((await runHermes(['owners', 'list', '--home', home])).stdout).toContain('2 owners')
  })

  it('is asked for if the folder holds many', async () => {
    const home = await serverFolder()
    expect((await runHermes(['memory', 'show', '--home', home])).stderr).toContain('Name one with --user')
  })

  it('refuses what can be no owner', async () => {
    const home = await serverFolder()
    expect(await runHermes(['memory', 'show', '--home', home, '--tenant', 'acme'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--tenant needs --user'),
    })
    expect(await runHermes(['memory', 'show', '--home', home, '--user', ''])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is empty'),
    })
  })
})

describe('hermes owners', () => {
  it('lists the owners that the folder holds', async () => {
    const home = await serverFolder()
    expect((await runHermes(['owners', 'list', '--home', home])).stdout).toMatch(/acme +ada[\s\S]*Bob[\s\S]*2 owners/)
    expect((await runJson(['owners', 'list', '--home', home])).told.value).toEqual({
      owners: [{ tenant: 'acme', user: 'ada' }, { user: 'Bob' }],
    })
    expect((await runHermes(['owners', 'list', '--home', temporaryHome()])).stdout).toContain('This folder has no owners')
  })

  it('erases one of them after a yes, and says what went', async () => {
    const home = await serverFolder()
    expect(await runHermes(['owners', 'erase', '--home', home, '--user', 'Bob'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--yes'),
    })
    const erased = await runHermes(['owners', 'erase', '--home', home, '--user', 'Bob', '--yes'])
    expect(erased).toMatchObject({ code: 0, stdout: expect.stringMatching(/All data of 'Bob' is erased: \d+ documents.*memories 2/) })
    expect((await runHermes(['owners', 'list', '--home', home])).stdout).not.toContain('Bob')
    expect((await runHermes(['owners', 'erase', '--home', home, '--user', 'Bob', '--yes'])).stdout).toContain('There was no data')
    expect((await runHermes(['owners', 'erase', '--home', home, '--yes'])).code).toBe(2)
  })
})
