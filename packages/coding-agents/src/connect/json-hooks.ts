/** Hooks and an MCP server of ours in a JSON file of an agent's settings. */
import { asList, asRecord, asText } from '@hermes/core/adapter'
import type { JSONPath } from 'jsonc-parser'
import type { ConfigFile } from './host-setup.ts'
import { addToList, removeFromList, removeValue, setValue, valueAt } from './json-list.ts'

/** The programs that an entry starts: hosts name them in different places. */
const commandsOf = (entry: unknown): readonly string[] => {
  const { command, bash, args, hooks } = asRecord(entry)
  return [asText(command), ...asList(command).map(asText), asText(bash), ...asList(args).map(asText), ...asList(hooks).flatMap(commandsOf)]
}

const isOf =
  (program: string) =>
  (entry: unknown): boolean =>
    commandsOf(entry).some((command) => command.includes(program))

type Change = Pick<ConfigFile, 'add' | 'takeBack'>

/** `entries`: what is added to the list of each event. `program`: the path of the file that they start, by which they are known. */
export const hooksIn = (file: string, entries: Readonly<Record<string, unknown>>, program: string): Change => {
  const lists = Object.entries(entries).map(([event, entry]) => ({ list: ['hooks', event], entry }))
  const takeBack = (text: string) => lists.reduce((now, { list }) => removeFromList(now, list, isOf(program), file), text)
  return { takeBack, add: (text) => lists.reduce((now, { list, entry }) => addToList(now, list, [entry], file), takeBack(text)) }
}

/** `at`: the place of the server, whose name is the last part. Throws if one of that name is there that is not ours. */
export const serverIn = (file: string, at: JSONPath, server: object, program: string): Change => {
  const there = (text: string): unknown => valueAt(text, at, file)
  return {
    takeBack: (text) => (isOf(program)(there(text)) ? removeValue(text, at, file) : text),
    add(text) {
      const known = there(text)
      if (known !== undefined && !isOf(program)(known))
        throw new Error(`'${file}' has an MCP server '${String(at.at(-1))}' already, so nothing was changed. Remove or rename that server.`)
      return setValue(text, at, server)
    },
  }
}

export const bothIn = (first: Change, second: Change): Change => ({
  add: (text) => second.add(first.add(text)),
  takeBack: (text) => first.takeBack(second.takeBack(text)),
})
