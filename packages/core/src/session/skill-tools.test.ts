/** The tools that a model is offered on every call: three, in a fixed order, with short descriptions. */
import { expect, test } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { skillTools } from './session-tools.ts'

const closed = async () => err(new HermesError('closed', 'closed'))
const tools = skillTools({
  list: closed,
  view: closed,
  noteShown: () => {},
  isOwn: async () => true,
  manage: async () => ({ kind: 'similar', skills: [] }),
})
const schemaOf = (index: number) => tools[index]?.jsonSchema ?? {}
const namesIn = (index: number) => Object.keys(Object(schemaOf(index)['properties']))

test('the tools have a fixed order, with the parameters of Python Hermes', () => {
  expect(tools.map(({ name }) => name)).toEqual(['skills_list', 'skill_view', 'skill_manage'])
  expect([0, 1, 2].map(namesIn)).toEqual([
    ['category'],
    ['name', 'file_path'],
    [
      'action',
      'name',
      'content',
      'category',
      'old_string',
      'new_string',
      'replace_all',
      'file_path',
      'file_content',
      'absorbed_into',
      'create_anyway',
    ],
  ])
  expect(JSON.stringify(schemaOf(2))).toContain('"enum":["create","edit","patch","write_file","remove_file","archive","delete"]')
})

test('every parameter may be left out or null, so that no framework refuses a call that the tool could answer', () => {
  for (const index of [0, 1, 2]) {
    expect(schemaOf(index)).not.toHaveProperty('required')
    const nulls = Object.fromEntries(namesIn(index).map((key) => [key, null]))
    expect(tools[index]?.inputSchema.safeParse(nulls).success).toBe(true)
  }
})

test('the descriptions say what a skill is, when to load one, when to write one and what not', () => {
  const [list, view, manage] = tools.map(({ description }) => description)
  expect(list).toMatch(/your skills \(saved procedures\)/)
  expect(view).toMatch(/before a task it may fit/)
  for (const word of [
    'procedures for a class of tasks',
    'effort',
    'corrects',
    'No notes on one task',
    'patch rather than edit',
    'references/',
    'front matter',
    'restore',
  ])
    expect(manage).toContain(word)
})

test('all three together cost a model less than 900 tokens on each call', () => {
  const sent = tools.map(({ name, description }, index) => JSON.stringify({ name, description, parameters: schemaOf(index) }))
  // Schemas and English use fewer than one token for four characters.
  expect(sent.join('').length / 4).toBeLessThan(900)
})
