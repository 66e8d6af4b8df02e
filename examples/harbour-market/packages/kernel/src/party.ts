import { field } from '@happyvertical/smrt-core';
import { HallRecord } from './hall-record';
import type { PostalAddress } from './types';

/** Anyone the market deals with: employees, stallholders, customers. */
export abstract class Party extends HallRecord {
  @field({ required: true, maxLength: 120 })
  name: string = '';

  @field({ sensitive: true, readPermission: 'party.contact' })
  email?: string;

  @field({ sensitive: true })
  phone: string | null = null;

  address?: PostalAddress;

  get label(): string {
    return this.name;
  }
}
