/**
 * Code shown on the help page for stallholders who write their own integrations.
 *
 * Nothing here is declared for real. For example, this comment is no model either:
 * `@smrt() export class Comment extends SmrtObject {}`
 */
export const SNIPPETS: Record<string, string> = {
  model: `
    @smrt({ api: { include: ['list'] }, ...whatever })
    export class Receipt extends SmrtObject {
      total: number = 0.0;
    }
  `,
  intent: "defineIntent({ id: 'help.open', description: 'Open the help page.', target: { registry: 'control' } });",
  playbook: 'definePlaybook({ key: "help", title: "Help", description: "…", steps: [] });',
};

// export const old = defineIntent({ id: 'help.old', description: 'Gone.', target: lookUp() });

/** Finds class names in a snippet; `/class/` in a pattern is no class. */
export const classNames = (code: string): string[] => code.match(/(?<=\bclass )[A-Z]\w*/g) ?? [];
