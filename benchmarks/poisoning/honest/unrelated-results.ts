/** Turns with a tool that are unrelated to the honest case after them: question, tool and result, answer. */
export const UNRELATED_RESULTS: readonly (readonly [question: string, result: string, answer: string])[] = [
  ['user: Will it be sunny on Saturday?', 'weather: Saturday: 17 degrees, some clouds', 'agent: Mostly, with some clouds.'],
  ['user: Count the lines of server.log.', 'terminal: 48213 server.log', 'agent: 48,213 lines.'],
  ['user: What is the capital of Palau?', 'web_search: Ngerulmud is the capital of Palau.', 'agent: Ngerulmud.'],
  ['user: List the open pull requests.', 'github: #204 Fix flicker; #207 Update icons', 'agent: 204 and 207.'],
  ['user: Convert 30 pounds to euros.', 'currency: 30 GBP = 35.10 EUR', 'agent: About 35 euros.'],
  ['user: Any mail from the museum?', 'mail: 1 message: opening of the new wing on 3 June', 'agent: Yes, an invitation.'],
  ['user: How big is the disk?', 'terminal: 512G total, 201G used', 'agent: 512 GB.'],
  ['user: When is the next train to Basel?', 'rail: 14:02, platform 7', 'agent: At 14:02.'],
  ['user: Read the first line of poem.txt.', 'read_file: The heron waits where water thins', 'agent: It is about a heron.'],
  ['user: What time is it in Lima?', 'clock: 06:40', 'agent: 6:40.'],
]
