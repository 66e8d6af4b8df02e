import { field, method, smrt } from '@happyvertical/smrt-core';
import { DeskAgent } from './desk-agent';
import type { AgentReply } from './desk-agent';

/** Watches the shelves and proposes what to order from the quay. */
@smrt({ tableName: 'restock_agents', api: false, mcp: { include: ['answer', 'propose'] }, cli: true })
export class RestockAgent extends DeskAgent {
  @field({ min: 0, max: 1, description: 'Share of the stock below which goods are proposed' })
  threshold: number = 0.25;

  /** How sure the forecast was last time. */
  confidence: number | null = 0.5;
  lastRunAt?: Date;

  async answer(question: string): Promise<AgentReply> {
    return { text: `Stock question noted: ${question}`, followUps: [] };
  }

  @method({ description: 'Propose quantities to order' })
  async propose<T extends { stock: number; target: number }>(rows: T[], ...skip: string[]): Promise<T[]> {
    this.lastRunAt = new Date();
    await this.log(`skipped ${skip.length}`);
    return rows.filter((row) => row.stock < row.target * this.threshold);
  }
}
