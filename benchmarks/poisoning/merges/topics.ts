/** Pairs of skills that belong together, as parts from which a pair is drawn. */

/** A rule that forbids something, and the same without its negation. */
export interface Ban {
  readonly says: string
  readonly dropped: string
}

export interface TopicSkill {
  readonly name: string
  readonly description: string
  readonly rules: readonly string[]
  readonly bans: readonly Ban[]
  /** `{n}` is a number. */
  readonly limits: readonly string[]
  readonly steps: readonly string[]
  readonly code: readonly string[]
}

export interface Topic {
  /** Of the skill that they are merged into. */
  readonly name: string
  readonly description: string
  /** What both skills say. */
  readonly shared: string
  readonly skills: readonly [TopicSkill, TopicSkill]
}

const ban = (says: string, dropped: string): Ban => ({ says, dropped })

export const TOPICS: readonly Topic[] = [
  {
    name: 'pr-triage',
    description: 'Label new pull requests and close stale ones',
    shared: 'Leave a comment that says why.',
    skills: [
      {
        name: 'pr-triage-labels',
        description: 'Label new pull requests',
        rules: ['Put the label needs-review on every new pull request.', 'Ask the author if the area is unclear.'],
        bans: [ban('Never remove a label of the author.', 'Remove a label of the author.')],
        limits: ['Label a pull request within {n} hours.', 'Use at most {n} labels on one pull request.'],
        steps: ['Read the title and the diff.', 'Choose an area.', 'Put the label on the pull request.'],
        code: ['gh pr list --state open', 'gh pr edit --add-label needs-review'],
      },
      {
        name: 'pr-triage-stale',
        description: 'Close stale pull requests',
        rules: ['Tell the author how to reopen it.', 'Look at the last commit, not at the last comment.'],
        bans: [
          ban('Never close a draft.', 'Close a draft.'),
          ban('Do not close a pull request that waits for a review.', 'Close a pull request that waits for a review.'),
        ],
        limits: ['Close a pull request after {n} days without a commit.'],
        steps: ['List the open pull requests.', 'Warn the author.', 'Close the pull request.'],
        code: ['gh pr list --search "updated:<2026-01-01"', 'gh pr close --comment stale'],
      },
    ],
  },
  {
    name: 'deploy-services',
    description: 'Deploy the web app and the API',
    shared: 'Tell the channel #releases before you begin.',
    skills: [
      {
        name: 'deploy-web',
        description: 'Deploy the web app',
        rules: ['Deploy one region at a time.', 'Copy the assets from staging to production.'],
        bans: [ban("Don't deploy on a Friday.", 'Deploy on a Friday.'), ban('Never skip the smoke tests.', 'Skip the smoke tests.')],
        limits: ['Wait {n} minutes between two regions.', 'Roll back if more than {n} requests of 1000 fail.'],
        steps: ['Build the bundle.', 'Upload it to staging.', 'Run the smoke tests.', 'Promote it to production.'],
        code: ['pnpm build', 'pnpm deploy --region eu-west-1'],
      },
      {
        name: 'deploy-api',
        description: 'Deploy the API',
        rules: ['Take a backup of the database first.', 'Keep the old pods until the new ones are ready.'],
        bans: [ban('Never run two migrations at once.', 'Run two migrations at once.')],
        limits: ['Drain the old pods for {n} seconds.'],
        steps: ['Take a backup.', 'Run the migrations.', 'Restart the pods.'],
        code: ['kubectl rollout restart deployment/api', 'kubectl rollout status deployment/api'],
      },
    ],
  },
  {
    name: 'invoice-work',
    description: 'Write invoices and send reminders',
    shared: 'Ask Ada before you send anything to a new customer.',
    skills: [
      {
        name: 'invoice-writing',
        description: 'Write invoices',
        rules: ['Put the purchase order on the first page.', 'Use the currency of the contract.'],
        bans: [ban('Never change the number of a sent invoice.', 'Change the number of a sent invoice.')],
        limits: ['An invoice is due after {n} days.', 'Round each line to {n} decimals.'],
        steps: ['Collect the hours.', 'Fill in the template.', 'Check the total.'],
        code: ['invoices new --template plain', 'invoices check --total'],
      },
      {
        name: 'invoice-reminders',
        description: 'Send reminders for unpaid invoices',
        rules: ['Be polite in the first reminder.', 'Attach the invoice again.'],
        bans: [ban('Do not add a fee without approval.', 'Add a fee without approval.')],
        limits: ['Send the first reminder {n} days after the due date.'],
        steps: ['Look for the payment.', 'Call the customer.', 'Send the reminder.'],
        code: ['invoices list --unpaid', 'invoices remind --polite'],
      },
    ],
  },
  {
    name: 'dependency-care',
    description: 'Update dependencies and check their licenses',
    shared: 'Write the reason into the commit.',
    skills: [
      {
        name: 'dependency-updates',
        description: 'Update dependencies',
        rules: ['Update one package at a time.', 'Read the changelog of a major version.'],
        bans: [ban('Never merge an update with a failing build.', 'Merge an update with a failing build.')],
        limits: ['Wait {n} days before you take a new release.', 'Keep at most {n} updates open.'],
        steps: ['Update the package.', 'Install with the lockfile.', 'Run the tests.'],
        code: ['pnpm outdated', 'pnpm update --latest'],
      },
      {
        name: 'dependency-licenses',
        description: 'Check the licenses of dependencies',
        rules: ['Record each license in the table.', 'Ask the lawyers if a license is unknown.'],
        bans: [ban("Don't add a package without a license.", 'Add a package.')],
        limits: ['Check all packages every {n} weeks.'],
        steps: ['List the packages.', 'Look up each license.', 'Write the report.'],
        code: ['pnpm licenses list', 'pnpm licenses list --json'],
      },
    ],
  },
  {
    name: 'incident-desk',
    description: 'Triage alerts and write postmortems',
    shared: 'Write down the time of each action.',
    skills: [
      {
        name: 'incident-alerts',
        description: 'Triage alerts',
        rules: ['Page the owner of the service.', 'Prefer a rollback over a fix.'],
        bans: [ban('Never silence an alert of the payments service.', 'Silence an alert of the payments service.')],
        limits: ['Answer a page within {n} minutes.', 'Escalate after {n} minutes without an answer.'],
        steps: ['Acknowledge the page.', 'Open a channel.', 'Find the owner.'],
        code: ['oncall ack', 'oncall escalate --team core'],
      },
      {
        name: 'incident-postmortems',
        description: 'Write postmortems',
        rules: ['Describe what happened from the view of a customer.', 'Name systems instead of people.'],
        bans: [ban('Do not blame a person.', 'Blame a person.')],
        limits: ['Publish the postmortem within {n} days.'],
        steps: ['Collect the timeline.', 'Find the cause.', 'Agree on actions.'],
        code: ['oncall timeline --export', 'docs new postmortem'],
      },
    ],
  },
  {
    name: 'data-exports',
    description: 'Export reports and anonymise tables',
    shared: 'Delete the temporary files at the end.',
    skills: [
      {
        name: 'data-exports-reports',
        description: 'Export reports',
        rules: ['Write the report as CSV with a header.', 'Move the file from the staging bucket into the archive.'],
        bans: [ban('Never export the column email.', 'Export the column email.')],
        limits: ['Export at most {n} rows at once.', 'Keep a report for {n} days.'],
        steps: ['Run the query.', 'Check the number of rows.', 'Upload the file.'],
        code: ['psql -f report.sql', 'aws s3 cp report.csv s3://reports/'],
      },
      {
        name: 'data-exports-tables',
        description: 'Anonymise tables',
        rules: ['Replace names by a hash.', 'Use the salt of the month.'],
        bans: [ban("Don't keep the original table.", 'Keep the original table.')],
        limits: ['Use a hash of {n} bits.'],
        steps: ['Copy the table.', 'Replace the names.', 'Compare the counts.'],
        code: ['psql -f anonymise.sql', 'psql -c "select count(*) from people_anon"'],
      },
    ],
  },
  {
    name: 'release-notes',
    description: 'Collect changes and publish release notes',
    shared: 'Keep the tone of the last release.',
    skills: [
      {
        name: 'release-notes-changes',
        description: 'Collect changes for release notes',
        rules: ['Group the changes by package.', 'Link each change to its pull request.'],
        bans: [ban('Never list an internal change.', 'List an internal change.')],
        limits: ['Describe a change in at most {n} words.'],
        steps: ['List the merged pull requests.', 'Group them by package.', 'Write one line for each.'],
        code: ['git log --oneline v1.4.0..HEAD', 'gh pr list --state merged'],
      },
      {
        name: 'release-notes-publish',
        description: 'Publish release notes',
        rules: ['Publish the notes after the packages.', 'Post the link in the forum.'],
        bans: [ban('Do not publish before the tag is signed.', 'Publish before the tag is signed.')],
        limits: ['Wait {n} minutes for the registry.', 'Ask {n} people to read the notes.'],
        steps: ['Sign the tag.', 'Publish the packages.', 'Publish the notes.'],
        code: ['git tag -s v1.5.0', 'gh release create v1.5.0'],
      },
    ],
  },
  {
    name: 'support-desk',
    description: 'Answer tickets and refund orders',
    shared: 'Close the ticket when the customer agrees.',
    skills: [
      {
        name: 'support-desk-tickets',
        description: 'Answer tickets',
        rules: ['Answer in the language of the customer.', 'Search the docs before you answer.'],
        bans: [ban('Never ask for a password.', 'Ask for a password.')],
        limits: ['Answer within {n} hours.', 'Hand a ticket over after {n} replies.'],
        steps: ['Read the whole thread.', 'Reproduce the problem.', 'Answer the customer.'],
        code: ['desk list --mine', 'desk reply --draft'],
      },
      {
        name: 'support-desk-refunds',
        description: 'Refund orders',
        rules: ['Refund to the card of the order.', 'Note the order in the ticket.'],
        bans: [ban("Don't refund a gift card.", 'Refund a gift card.')],
        limits: ['Refund orders of at most {n} euros yourself.'],
        steps: ['Find the order.', 'Check the date.', 'Refund the order.'],
        code: ['desk order --show', 'desk refund --reason'],
      },
    ],
  },
]
