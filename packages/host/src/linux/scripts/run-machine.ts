/**
 * Runs as the init process of a machine: keeps containerd and the kubelet running like systemd, runs the bootstrap data once, and
 * reaps orphaned processes. Writes its progress below /var/lib/slipway, where Slipway reads it.
 */
export const runMachineScript = String.raw`state=/var/lib/slipway
log=/var/log
mkdir -p "$state" "$log" /run/slipway/units /run/lock

# Restarts a unit whenever it exits, until it is stopped.
keep_running() {
  unit=$1
  shift
  while :; do
    if [ ! -e "/run/slipway/units/$unit.stopped" ]; then
      "$@" >> "$log/$unit.log" 2>&1 &
      echo $! > "/run/slipway/units/$unit.pid"
      wait $!
      rm -f "/run/slipway/units/$unit.pid"
    fi
    sleep 1
  done
}

run_containerd() {
  exec containerd
}

# As in kubeadm's unit file: the kubelet does not start before kubeadm has written its configuration.
run_kubelet() {
  [ -e /var/lib/kubelet/config.yaml ] || exit 1
  KUBELET_KUBEADM_ARGS=
  KUBELET_EXTRA_ARGS=
  if [ -e /var/lib/kubelet/kubeadm-flags.env ]; then . /var/lib/kubelet/kubeadm-flags.env; fi
  if [ -e /etc/default/kubelet ]; then . /etc/default/kubelet; fi
  exec kubelet --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf \
    --config=/var/lib/kubelet/config.yaml --config-dir=/etc/slipway/kubelet.d $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
}

record() {
  echo "$1" > "$state/bootstrap.new"
  mv "$state/bootstrap.new" "$state/bootstrap"
}

import_images() {
  [ -e "$state/images-imported" ] && return
  for image in $CONTAINER_IMAGES; do
    ctr --namespace k8s.io images import --local "/opt/slipway/images/$image" || return
  done
  touch "$state/images-imported"
}

bootstrap() {
  [ -e "$state/bootstrap-ended" ] && return
  record starting
  # containerd has no readiness signal: poll until it responds.
  until ctr version > /dev/null 2>&1; do sleep 0.2; done
  until import_images >> "$log/images.log" 2>&1; do sleep 1; done
  record running
  sh /opt/slipway/seed/bootstrap.sh >> "$log/cloud-init-output.log" 2>&1
  touch "$state/bootstrap-ended"
  # Cluster API's commands create this file when kubeadm succeeds.
  if [ -e /run/cluster-api/bootstrap-success.complete ]; then record succeeded; else record failed; fi
  # The seed contains keys and tokens and is no longer needed.
  rm -rf /opt/slipway/seed
}

(keep_running containerd run_containerd) &
(keep_running kubelet run_kubelet) &
bootstrap &
trap 'exit 0' TERM INT
while :; do
  wait
  sleep 1
done
`;
