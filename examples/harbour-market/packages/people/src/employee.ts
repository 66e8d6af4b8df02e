import { Party } from '@harbour/kernel';
import { field, manyToMany, method, oneToMany, smrt } from '@happyvertical/smrt-core';
import { Shift } from './shift';
import { Skill } from './skill';

/** What somebody is employed as. */
export enum EmployeeRole {
  HallManager = 'hall-manager',
  FloorStaff = 'floor-staff',
  Driver = 'driver',
  Bookkeeper = 'bookkeeper',
}

/** Hours a week that a contract may name. */
type ContractHours = 12 | 20 | 32 | 38;

/** Somebody on the payroll. */
@smrt({
  tableName: 'employees',
  api: { include: ['list', 'get', 'create', 'update'] },
  mcp: { include: ['list'], exclude: ['delete'] },
  cli: true,
})
export class Employee extends Party {
  static uiSlots = {
    card: { component: 'EmployeeCard', order: 10 },
    rota: { component: 'RotaRow', order: 20 },
  };

  static adminRoutes = [{ path: '/staff', label: 'Staff', roles: ['hall-manager'] }];

  @field({ required: true, unique: true, index: true, maxLength: 12 })
  readonly badge: string = '';

  role: EmployeeRole = EmployeeRole.FloorStaff;
  contractHours: ContractHours = 20;
  startsOn: Date = new Date();
  leftOn?: Date;

  /** Gross pay an hour in cents. */
  hourlyWage: number = 1450;

  @field({ transient: true })
  isOnFloor: boolean = false;

  @oneToMany(() => Shift)
  shifts: Shift[] = [];

  @manyToMany(() => Skill)
  skills: Skill[] = [];

  /** Number for the staff door. It never leaves this class. */
  private doorCode: string = '0000';
  protected failedAttempts = 0;

  /** Checks the door number; three misses lock the badge. */
  @method({ expose: false })
  unlock(code: string): boolean {
    const isRight = code === this.doorCode && this.failedAttempts < 3;
    this.failedAttempts = isRight ? 0 : this.failedAttempts + 1;
    return isRight;
  }

  /** Plans one shift and returns it unsaved. */
  async planShift(startsAt: Date, hours: number, ...tasks: string[]): Promise<Shift> {
    const shift = new Shift({ employeeId: this.id, startsAt, tasks });
    shift.endsAt = new Date(startsAt.getTime() + hours * 3_600_000);
    return shift;
  }

  static async onDuty(at: Date, role?: EmployeeRole): Promise<Employee[]> {
    const shifts = await Shift.covering(at);
    const people = await Promise.all(shifts.map((shift) => shift.employee()));
    return people.filter((person): person is Employee => person !== null && (!role || person.role === role));
  }
}
