import { crossPackageRef, smrt } from '@happyvertical/smrt-core';
import { Vehicle } from './vehicle';

/** The boat to the islands. The harbour office audits it, so it keeps a table of its own. */
@smrt({ tableName: 'harbour_boats', tableStrategy: 'cti', api: { include: ['get'] }, mcp: false, cli: false })
export class HarbourBoat extends Vehicle {
  /** Name of the berth, e.g. `Pier 4`. */
  berth: string = 'Pier 4';

  /** Metres of water that the boat needs. */
  draught: number = 1.2;
  crewSize: number = 2;

  @crossPackageRef('@harbour/people:Employee')
  skipperId?: string;
}
