export { ConciergeAgent } from './agents/concierge-agent';
export { RestockAgent } from './agents/restock-agent';
export { Announcement } from './announcement';
export { SNIPPETS } from './help-snippets';
