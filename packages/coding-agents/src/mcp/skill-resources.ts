/** The learned skills as resources of MCP, for programs that show these to a person. Reading one is the same call as the tool `skill_view`, so it counts as a view. */
import { asList, asRecord, asText } from '@hermes/core/adapter'
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'

type Answer = Readonly<Record<string, unknown>>

const SCHEME = 'skill://hermes/'
const MIME_TYPE = 'text/markdown'

const toResource = (skill: Answer) => {
  const [name, description] = [asText(skill['name']), asText(skill['description'])]
  return { uri: SCHEME + encodeURIComponent(name), name, description, mimeType: MIME_TYPE }
}

/** `ask`: calls one of the agent's tools. */
export const offerSkills = (server: McpServer, ask: (tool: string, input: object) => Promise<Answer>): void => {
  const list = async () => ({ resources: asList((await ask('skills_list', {}))['skills']).map((skill) => toResource(asRecord(skill))) })
  const about = { title: 'Learned skills', description: 'How to do recurring tasks, as it was learned.', mimeType: MIME_TYPE }
  server.registerResource('skills', new ResourceTemplate(`${SCHEME}{name}`, { list }), about, async (uri, { name }) => {
    const { success, content, error } = await ask('skill_view', { name: decodeURIComponent(String(name)) })
    if (success !== true) throw new ResourceNotFoundError(uri.href, asText(error))
    return { contents: [{ uri: uri.href, mimeType: MIME_TYPE, text: asText(content) }] }
  })
}
