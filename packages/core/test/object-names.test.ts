/** A skill may have the name of a property that every object has: it is a name like any other, or it is refused. */
import { expect, it } from 'vitest'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { openHome } from './session/open-home.ts'
import { skillText, textAt, unwrap, write } from './support/skill-library.ts'

const NAMES = ['constructor', 'prototype', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']

it.each(NAMES)('a skill called %s is created or refused plainly', async (name) => {
  const { hermes } = openHome(inMemoryBackend())
  const created = await hermes.skillStore().create({ name, content: skillText(name) })
  if (/^[a-z]+$/.test(name)) expect(created).toMatchObject({ ok: true, value: { skill: { name } } })
  else expect(created).toMatchObject({ ok: false, error: { code: 'invalid', message: expect.stringContaining(`'${name}'`) } })
})

it.each(NAMES)('a skill called %s is listed, loaded, counted, pinned, handed over, archived and restored like any other', async (name) => {
  const storage = inMemoryBackend()
  await write(storage, { [`skills/${name}/SKILL.md`]: skillText(name), [`skills/${name}s/other/SKILL.md`]: skillText('other') })
  const { hermes, events } = openHome(storage)
  const session = hermes.session('a')
  const tools = session.offerTools()
  const call = (tool: string, input: object) => tools.find((each) => each.name === tool)?.execute(input)
  expect(await session.systemBlock()).toContain(`- ${name}: How to ${name}`)
  expect(await call('skills_list', {})).toMatchObject({ success: true, count: 2 })
  expect(await call('skill_view', { name })).toMatchObject({ success: true })
  await session.settled()
  expect((await hermes.usageStore().all()).get(name)?.viewCount).toBe(1)
  expect(Object.keys(JSON.parse((await textAt(storage, 'skills/.usage.json')) ?? ''))).toEqual([name])
  unwrap(await hermes.curator.pin(name))
  expect(unwrap(await hermes.curator.status()).pinned).toEqual([name])
  unwrap(await hermes.curator.unpin(name))
  unwrap(await hermes.curator.manage({ skills: [name] }))
  expect(unwrap(await hermes.curator.grants()).grants).toMatchObject([{ scope: { skills: [name] } }])
  const { id } = unwrap(await hermes.curator.backup())
  unwrap(await hermes.curator.archive(name))
  unwrap(await hermes.curator.restore(name))
  unwrap(await hermes.curator.archive(name))
  unwrap(await hermes.curator.rollback(id))
  expect(unwrap(await hermes.skillStore().list()).skills.map((skill) => skill.name)).toContain(name)
  expect(events.filter(({ type }) => type.endsWith('failed'))).toEqual([])
})

it.each(NAMES)('a category called %s is counted', async (name) => {
  const storage = inMemoryBackend()
  await write(storage, { [`skills/${name}/deploy/SKILL.md`]: skillText('deploy') })
  const { hermes } = openHome(storage)
  const list = hermes
    .session('a')
    .offerTools()
    .find((tool) => tool.name === 'skills_list')
  const told = JSON.parse(JSON.stringify(await list?.execute({ category: 'none of them' })))
  expect(Object.entries(told.categories ?? {})).toEqual([[name, 1]])
})
