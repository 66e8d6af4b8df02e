import { HallRecord } from '@harbour/kernel';
import { field, method } from '@happyvertical/smrt-core';

/** What an agent answers with. */
export interface AgentReply {
  text: string;
  followUps: string[];
}

/** Base of the desk's assistants: a name, a switch, and a log of what was asked. */
export abstract class DeskAgent extends HallRecord {
  @field({ required: true })
  nickname: string = '';

  isEnabled: boolean = true;
  temperature: number = 0.2;
  questions: string[] = [];

  get label(): string {
    return this.nickname;
  }

  /** Answers one question. */
  abstract answer(question: string, context?: Record<string, unknown>): Promise<AgentReply>;

  @method({ expose: false })
  protected async log(question: string): Promise<void> {
    this.questions.push(question);
    await this.save();
  }
}
