"""What changes Registers. Everything here locks the Register it changes."""
