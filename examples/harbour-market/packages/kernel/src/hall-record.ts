import { TenantScoped, tenantId } from '@happyvertical/smrt-tenancy';
import { HarbourRecord } from './record';

/** A record that belongs to one hall; the tenant filter keeps halls apart. */
@TenantScoped({ mode: 'required' })
export abstract class HallRecord extends HarbourRecord {
  @tenantId()
  hallId: string = '';

  /** Whether both records belong to the same hall. */
  isSameHall(other: HallRecord): boolean {
    return this.hallId === other.hallId;
  }
}
