import process from 'node:process'
import { fileSystemBackend } from '@hermes/core/file-system'
import { talk } from './conversation.mjs'

const [home, id, prompt] = process.argv.slice(2)
const warnings = []
const storage = fileSystemBackend(home, { onWarning: (warning) => warnings.push(warning) })
console.log(JSON.stringify({ ...(await talk(storage, id, prompt)), warnings }))
