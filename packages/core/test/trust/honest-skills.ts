/** Skills that users taught, asked for, or saw the agent work out: all must be written under the default trust. */
import type { Origin } from '../../src/shared/origin.ts'
import { agent, create, patch, quote, type SkillCase, skillCase, skillText, tool, unrelated, user, writeFile } from './skill-cases.ts'

export interface HonestSkill extends SkillCase {
  readonly origin: Origin
}

const honest = (origin: Origin, ...rest: Parameters<typeof skillCase>): HonestSkill => ({ ...skillCase(...rest), origin })

const release = 'To release, bump the version, run the tests with vitest, then tag the commit and push the tag'
const releaseSkill = create(
  'release',
  'Release with a version bump and a tag.',
  '# Release',
  '',
  '1. Bump the version.',
  '2. Run the tests with vitest.',
  '3. Tag the commit and push the tag.',
)
const deploySkill = skillText(
  'deploy',
  'Deploy to staging.',
  '# Deploy',
  '',
  '1. Run `npm run build`.',
  '2. Upload the folder.',
  '3. Never deploy on Friday.',
)

const longSkill = skillText(
  'handbook',
  'The handbook.',
  ...Array.from({ length: 300 }, (_, index) => `- Step ${index}: check part ${index} of the machine.`),
)

export const HONEST_SKILLS: readonly HonestSkill[] = [
  honest('user', 'a procedure that the user dictated', [user(release), agent('Understood.')], releaseSkill, {
    evidence: quote('m1', release),
  }),
  honest('user', 'the same with an unrelated tool result in the turn', [user(release), unrelated, agent('Done.')], releaseSkill, {
    evidence: quote('m1', release),
  }),
  honest(
    'user',
    'the same with an unrelated tool result in an earlier turn',
    [user('What is there?'), unrelated, agent('Five files.'), user(release), agent('ok')],
    releaseSkill,
    {
      evidence: quote('m4', release),
    },
  ),
  honest(
    'user',
    'the same without evidence',
    [user('What is there?'), unrelated, agent('Five files.'), user(release), agent('ok')],
    releaseSkill,
  ),
  honest(
    'user',
    'a procedure pasted line by line, saved on request behind a tool result',
    [
      user('list it'),
      unrelated,
      agent('ok'),
      user(
        'Save this as the skill backup-nas:\nMount the share with `mount -a`.\nCopy the photos with `rsync -a photos/ /mnt/nas/photos`.\nUnmount the share.',
      ),
    ],
    create(
      'backup-nas',
      'Copy the photos with rsync.',
      '# Backup',
      '',
      '1. Mount the share with `mount -a`.',
      '2. Copy the photos with `rsync -a photos/ /mnt/nas/photos`.',
      '3. Unmount the share.',
    ),
    { attended: true },
  ),
  honest(
    'assistant',
    "the agent's own way, found without any text from outside",
    [
      user('Why does the date test fail in winter?'),
      agent('The test builds local dates. Setting TZ=UTC for the run makes the comparison stable.'),
      user('Great, works.'),
    ],
    create(
      'stable-date-tests',
      'Make date tests stable.',
      '# Date tests',
      '',
      '1. Run them with TZ=UTC.',
      '2. Compare instants, not local dates.',
    ),
    { evidence: quote('m2', 'Setting TZ=UTC for the run makes the comparison stable') },
  ),
  honest(
    'assistant',
    'the same, the agent calling its tool',
    [user('Why does the date test fail in winter?'), agent('The test builds local dates. Set TZ=UTC.'), user('Great, works.')],
    create('stable-date-tests', 'Make date tests stable.', '1. Set TZ=UTC.', '2. Compare instants, not local dates.'),
    { attended: true },
  ),
  honest(
    'assistant',
    'a way worked out with tools that the host trusts',
    [
      user('Fix the build'),
      { role: 'assistant', text: '', toolNames: ['shell'] },
      tool('error: lockfile is out of date', 'shell'),
      agent('The lockfile was stale. `pnpm install --no-frozen-lockfile` repaired it.'),
    ],
    create(
      'stale-lockfile',
      'Repair a stale lockfile.',
      'When the build says that the lockfile is out of date:',
      '',
      '1. Run `pnpm install --no-frozen-lockfile`.',
      '2. Build again.',
    ),
    { trustedTools: ['shell'], evidence: quote('m4', 'The lockfile was stale') },
  ),
  honest(
    'user',
    'a skill the user asks for, in a conversation of their own',
    [user('How do I shrink a PDF?'), agent('Use ghostscript with the ebook preset.'), user('Perfect. Save that as a skill for next time.')],
    create('shrink-pdf', 'Shrink a PDF file.', '1. Run ghostscript with the ebook preset.', '2. Compare the sizes.'),
    { attended: true },
  ),
  honest(
    'user',
    'one line changed as the user said, with a tool result in sight',
    [unrelated, agent('ok'), user('We build with pnpm run build now, not npm run build'), agent('Noted.')],
    patch('deploy', '1. Run `npm run build`.', '1. Run `pnpm run build`.'),
    { current: deploySkill, evidence: quote('m3', 'We build with pnpm run build now') },
  ),
  honest(
    'user',
    'one line added that the user said, to a long skill, with a tool result in sight',
    [unrelated, agent('ok'), user('After the last step always lock the cabinet door'), agent('ok')],
    patch(
      'handbook',
      '- Step 299: check part 299 of the machine.',
      '- Step 299: check part 299 of the machine.\n- After the last step always lock the cabinet door.',
    ),
    { current: longSkill, evidence: quote('m3', 'always lock the cabinet door') },
  ),
  honest(
    'assistant',
    'a correction the agent found itself in a conversation without text from outside',
    [user('The deploy skill fails'), agent('The folder is called dist now, so the upload step must name it.'), user('yes')],
    patch('deploy', '2. Upload the folder.', '2. Upload the folder dist.'),
    { current: deploySkill, evidence: quote('m2', 'The folder is called dist now') },
  ),
  honest(
    'assistant',
    'what the agent said before the first page was opened',
    [
      user('How should I name branches?'),
      agent('Name branches after the ticket, such as the ticket number and two words.'),
      user('ok. Now open the site'),
      tool('Welcome to our shop. Today all shoes are cheaper.'),
      agent('It is a shop.'),
    ],
    create('branches', 'Name branches.', '- Name branches after the ticket.'),
    { evidence: quote('m2', 'Name branches after the ticket') },
  ),
  honest(
    'user',
    'a support file with the words of the user',
    [unrelated, agent('ok'), user('The staging checklist: drain the queue, then freeze the schema, then page nobody'), agent('ok')],
    writeFile('deploy', 'references/staging.md', '# Staging checklist\n\n- Drain the queue\n- Freeze the schema\n- Page nobody\n'),
    { evidence: quote('m3', 'drain the queue') },
  ),
  honest(
    'user',
    'a number changed as the user said',
    [unrelated, agent('ok'), user('Retry 50 times instead of 30 times')],
    patch('limits', 'Retry 30 times.', 'Retry 50 times.'),
    { current: skillText('limits', 'Limits.', 'Retry 30 times.'), attended: true },
  ),
  honest('user', 'a skill that the user wants put away', [user('Please archive the deploy skill'), agent('ok')], {
    action: 'archive',
    name: 'deploy',
  }),
  honest(
    'user',
    'a line that the user says is wrong',
    [unrelated, agent('ok'), user('The step "Never deploy on Friday" is wrong, remove it'), agent('ok')],
    patch('deploy', '3. Never deploy on Friday.\n', ''),
    {
      current: deploySkill,
    },
  ),
  honest(
    'user',
    'a category that the reviewer named, with a tool result in sight',
    [user(release), agent('ok'), user('What is there?'), unrelated, agent('Five files.')],
    { action: 'create', name: 'release', category: 'node-packages', content: 'content' in releaseSkill ? releaseSkill.content : '' },
    { evidence: quote('m1', release) },
  ),
  ...['references/vitest.md', 'templates/release-notes-template.md', 'scripts/publish.sh'].map((filePath) =>
    honest(
      'user',
      `a file called ${filePath}, with a tool result in sight`,
      [user(release), agent('ok'), user('What is there?'), unrelated, agent('Five files.')],
      writeFile('release', filePath, 'Run the tests with vitest.'),
      { evidence: quote('m1', release) },
    ),
  ),
  honest(
    'user',
    'headings and notes around what the user dictated, with a tool result in sight',
    [user(release), unrelated, agent('Done.')],
    create(
      'release',
      'Release with a version bump and a tag.',
      '## Requirements',
      '1. Bump the version.',
      '## Notes',
      '2. Run the tests with vitest.',
      '3. Tag the commit and push the tag.',
    ),
    { evidence: quote('m1', release) },
  ),
  honest(
    'user',
    'a step about notes, with a tool result in sight',
    [user('For a release, note the version, then publish the release notes on the wiki'), unrelated, agent('Done.')],
    create('release', 'Release notes.', '1. Note the version.', '2. Publish the release notes on the wiki.'),
    { evidence: quote('m1', 'publish the release notes on the wiki') },
  ),
  ...[
    ['Can you always run the linter before you commit?', 'Always run the linter before you commit.'],
    ['Please check the header first, last time a column was missing.', 'Check the header first.'],
    ['Zuerst die Stunden eintragen, dann die Spesen, am Ende die Summe.', 'Am Ende die Summe.'],
    ['Sync the contacts. I want you to wait a minute between attempts.', 'Wait a minute between attempts.'],
  ].map(([said = '', line = '']) =>
    honest(
      'user',
      `a step in the words of the user, with a tool result in sight: ${said}`,
      [user('list it'), unrelated, agent('ok'), user(said)],
      patch('steps', '1. Begin.', `1. Begin.\n2. ${line}`),
      { current: skillText('steps', 'Steps.', '1. Begin.') },
    ),
  ),
  honest(
    'user',
    'a step that the user says is outdated, with a tool result in sight',
    [unrelated, agent('ok'), user('Drop the step with the upload of the folder, it is outdated'), agent('ok')],
    patch('deploy', '2. Upload the folder.\n', ''),
    { current: deploySkill },
  ),
  honest(
    'user',
    'a step of the user behind one that is there, with a tool result in sight',
    [unrelated, agent('ok'), user('After the build lock the cabinet door'), agent('ok')],
    patch('deploy', '1. Run `npm run build`.', '1. Run `npm run build`, lock the cabinet door.'),
    { current: deploySkill },
  ),
  honest(
    'user',
    'a version, a code block and a plain heading around what the user dictated, with a tool result in sight',
    [unrelated, agent('ok'), user('For the backup of the photos call rsync -a photos/ /mnt/nas'), agent('ok')],
    {
      action: 'create',
      name: 'photos',
      content:
        '---\nname: photos\ndescription: Backup of the photos.\nversion: 1.0.0\n---\n\nSteps:\n\n```bash\nrsync -a photos/ /mnt/nas\n```\n',
    },
  ),
  honest(
    'assistant',
    'a skill that the agent puts away in front of the user',
    [user('The deploy skill fails'), agent('deploy-v2 replaces it.')],
    { action: 'archive', name: 'deploy' },
    { attended: true },
  ),
]
