import { StallCollection } from '@harbour/stalls';
import { method, smrt } from '@happyvertical/smrt-core';
import { DeskAgent } from './desk-agent';
import type { AgentReply } from './desk-agent';

/** Tells visitors where to find what. */
@smrt({ tableName: 'concierge_agents', api: { include: ['get', 'answer'] }, mcp: { include: ['answer'] }, cli: false })
export class ConciergeAgent extends DeskAgent {
  static signalSubscriptions = { 'visitor.arrived': 'greet' };

  languages: string[] = ['de', 'en', 'da'];
  greeting: string = 'Moin! Grüezi! Velkommen! 👋';

  @method({ description: 'Answer a question about the hall' })
  async answer(question: string, context: Record<string, unknown> = {}): Promise<AgentReply> {
    await this.log(question);
    const stalls = await new StallCollection().vacant(3);
    return { text: `${this.greeting} ${context.name ?? ''}`, followUps: stalls.map((stall) => stall.label) };
  }

  greet(name: string): string {
    return `${this.greeting} ${name}`;
  }
}
