export { Employee, EmployeeRole } from './employee';
export { Shift } from './shift';
export { EmployeeSkill, Skill } from './skill';
export * from './rota.intents';
